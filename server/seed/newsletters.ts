import { and, asc, desc, eq } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { episodes } from '~/db/schema/episodes';
import { editions } from '~/db/schema/newsletter';
import { DAYS, earlier, utcDay } from '../base/time';
import type { DmarcReport } from '../bounces/dmarc-report';
import { saveChoices } from '../domain/audience/change-own-contact';
import { leaveLink } from '../domain/audience/leave-newsletter';
import { updateCreatorPage } from '../domain/creators/page';
import { recommendNewsletter } from '../domain/newsletter/change-recommendations';
import { createEdition, updateEdition } from '../domain/newsletter/edit-edition';
import { saveNewsletter } from '../domain/newsletter/newsletter-settings';
import { findEditionRow } from '../domain/newsletter/queries';
import { recordDmarcReport } from '../domain/newsletter/record-dmarc-report';
import { sendEdition } from '../domain/newsletter/send-edition';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { upload } from './actions';
import type { DemoPerson } from './demo-types';
import { drawCover } from './pictures';
import { DEMO_DOMAIN } from './sending-domain';

const OWNER = 'lucia@altavoz.example';
const HISTORY = 700;
/** For the check of links: names below `.invalid` never exist (RFC 2606). */
const BROKEN_LINK =
  '<p>Más sobre el tema, en <a href="https://archivo-sonoro.invalid/silencio">el archivo sonoro</a>.</p>';
/** For how long the creator has seen when people who agree to it last read. */
const TRACKED_DAYS = 150;
const SETTINGS = {
  name: 'Cartas desde el taller',
  description: 'Una carta al mes sobre lo que suena, lo que se rompe y lo que viene.',
  category: HISTORY,
  language: 'es',
  senderName: 'Lucía Ferrer',
  senderEmail: OWNER,
  header: 'Una carta al mes desde el taller de sonido',
  footer: 'Lucía Ferrer, Calle del Eco 12, 28004 Madrid',
  sendsWelcome: true,
  tracksReaders: true,
  welcomeSubject: 'Hola desde el taller',
  welcomeContent: 'Gracias por apuntarte. La próxima carta llega a principios de mes.',
};

const COLLEAGUE = 'ada@altavoz.example';
const COLLEAGUES_SETTINGS = {
  name: 'Night shift',
  description: 'What hums in my cellar, twice a month.',
  category: HISTORY,
  language: 'en',
  senderName: 'Ada Bright',
  senderEmail: COLLEAGUE,
  header: '',
  footer: 'Ada Bright, 12 Water Street, Portland, ME 04101, USA',
  sendsWelcome: false,
  welcomeSubject: '',
  welcomeContent: '',
};

/** A newsletter with an edition that was sent to a part of the list, and the draft of the next one. */
export async function seedNewsletter(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  if (!person) return;
  const ctx = await actAs(runtime, person);
  const { creatorId } = requireCreator(ctx);
  if ((await ctx.db.$count(editions, eq(editions.creatorId, creatorId))) > 0) return;
  // the setting is older than the logo, whose upload has no past
  await saveNewsletter(await actAs(runtime, person, earlier(ctx.now(), DAYS(TRACKED_DAYS))), SETTINGS);
  const bytes = await drawCover('waves', 'cartas');
  const logoKey = await upload(ctx, { purpose: 'newsletter_logo', name: 'logo.jpg', type: 'image/jpeg', bytes });
  await saveNewsletter(ctx, { ...SETTINGS, logoKey });
  await seedReaders(ctx, creatorId);
  await updateCreatorPage(ctx, { showNewsletter: true });
  const domains = [ctx.ports.mail.domain.toLowerCase(), DEMO_DOMAIN];
  const reports = domains.flatMap((domain) => [1, 2, 3].map((daysAgo) => dmarcReport(ctx, domain, daysAgo)));
  await Promise.all(reports.map((report) => recordDmarcReport(ctx, report)));
  const card = await latestCard(ctx, creatorId);
  const first = await write(ctx, {
    title: 'El ruido de la lluvia en una lata',
    preheader: 'Tres grabaciones, un micrófono roto y una pregunta',
    description: 'Cómo grabamos la tormenta de octubre, y por qué falló el micrófono bueno.',
    content: letter(card),
    tags: ['taller', 'grabación'],
    audience: { group: 'tag', of: 'Prensa' },
    isInArchive: true,
  });
  await sendEdition(ctx, first);
  await write(ctx, {
    title: 'Lo que oímos cuando no escuchamos',
    preheader: 'Borrador de diciembre',
    content: `<p>Hola, {{name|qué tal}}:</p>\n<p>Este mes escribo sobre el silencio.</p>\n${BROKEN_LINK}${card}`,
  });
  await sendLastMonths(await actAs(runtime, person, earlier(ctx.now(), DAYS(30))));
  await recommendColleague(ctx, runtime, cast);
}

/** Readers of the first newsletter see another one after they have signed up. */
async function recommendColleague(ctx: Ctx, runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const colleague = cast.find(({ email }) => email === COLLEAGUE);
  if (!colleague) return;
  const theirs = await actAs(runtime, colleague);
  await saveNewsletter(theirs, COLLEAGUES_SETTINGS);
  await updateCreatorPage(theirs, { showNewsletter: true });
  await recommendNewsletter(ctx, requireCreator(theirs));
}

/** An edition of a month ago, so that the archive has a list. */
async function sendLastMonths(ctx: Ctx): Promise<void> {
  const edition = await write(ctx, {
    title: 'Un taller sin ventanas',
    preheader: 'Por qué grabamos a oscuras',
    description: 'La habitación donde empezó todo, y lo que se oye cuando se apaga la luz.',
    content: '<p>Hola, {{name|qué tal}}:</p>\n<p>El taller no tiene ventanas, y por eso suena así.</p>',
    audience: { group: 'tag', of: 'Prensa' },
    isInArchive: true,
  });
  await sendEdition(ctx, edition);
}

/** Two readers have agreed to be seen, and one of them still reads. */
async function seedReaders(ctx: Ctx, creatorId: number): Promise<void> {
  const agreed = { ...ctx, language: 'es', now: () => earlier(ctx.now(), DAYS(TRACKED_DAYS - 10)) } as const;
  const rows = await ctx.db
    .select({ id: contacts.id, email: contacts.email })
    .from(contacts)
    .where(and(eq(contacts.creatorId, creatorId), eq(contacts.source, 'form'), eq(contacts.status, 'active')))
    .orderBy(asc(contacts.since), asc(contacts.id))
    .limit(2);
  for (const { id, email } of rows) {
    const { url } = leaveLink(ctx, { creatorId, email, id }, 'es');
    const token = new URL(url).searchParams.get('list')!;
    await saveChoices(agreed, { token, of: 'list', language: 'es', isTracked: true });
  }
  const [first] = rows;
  if (first) await ctx.recorders.readers.record({ contactId: first.id, on: utcDay(earlier(ctx.now(), DAYS(6))) });
}

/** What a mail provider reports about a day: one of the servers is not ours. */
function dmarcReport({ now }: Ctx, domain: string, daysAgo: number): DmarcReport {
  const endsAt = earlier(now(), DAYS(daysAgo));
  const sources = [
    { ip: '192.0.2.25', messages: 1200, passed: 1200 },
    { ip: '198.51.100.7', messages: 9, passed: 0 },
  ];
  return {
    ...{ domain, org: 'Correo de ejemplo', reportId: `demo-${daysAgo}` },
    ...{ beginsAt: earlier(endsAt, DAYS(1)), endsAt, messages: 1209, passed: 1200, dkimPassed: 1200, spfPassed: 1188 },
    ...{ sources, otherSources: 0 },
  };
}

type Texts = Omit<Parameters<typeof updateEdition>[1], 'id' | 'revision'>;

async function write(ctx: Ctx, texts: Texts): Promise<{ id: number; revision: number }> {
  const { id } = await createEdition(ctx, {});
  const { revision } = await findEditionRow(ctx, { creatorId: requireCreator(ctx).creatorId, id });
  return { id, ...(await updateEdition(ctx, { id, revision, ...texts })) };
}

const letter = (card: string): string =>
  [
    '<p>Hola, {{name|qué tal}}:</p>',
    '<p>En octubre llovió sobre el tejado del taller durante <strong>tres noches</strong>. Pusimos una lata, un ' +
      'micrófono y paciencia.</p>',
    '<h3>Lo que salió bien</h3>',
    '<ul><li>La lata.</li><li>La segunda noche.</li><li>El té.</li></ul>',
    card,
    '<hr data-free-end>',
    '<h3>El micrófono roto</h3>',
    '<p>La historia completa, con las tomas que no salieron en el episodio.</p>',
    '<p data-button="share"><a>Compártela con alguien</a></p>',
  ].join('\n');

async function latestCard({ db }: Ctx, creatorId: number): Promise<string> {
  const [row] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.creatorId, creatorId), eq(episodes.status, 'published')))
    .orderBy(desc(episodes.id))
    .limit(1);
  return row ? `<div data-episode="${row.id}"></div>` : '';
}
