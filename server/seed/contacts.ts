import { and, asc, eq, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { buyerStates } from '~/db/schema/buyers';
import type { ContactSource } from '~/db/values/contacts';
import { DAYS, earlier } from '../base/time';
import { changeContacts } from '../domain/audience/change-contacts';
import { keepContact } from '../domain/audience/keep-contact';
import { leaveLink, leaveNewsletter } from '../domain/audience/leave-newsletter';
import { saveSegment } from '../domain/audience/segments';
import { requireCreator } from '../policy/actor';
import { type Ctx, transact } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';
import { type Random, seededRandom } from './random';

const OWNER = 'lucia@altavoz.example';
const COUNT = 180;
const DAYS_BACK = 700;
const NAMES =
  'Alba Bruno Carmen Diego Elena Fermín Gala Hugo Inés Joel Kira Leo Marta Nico Olga Paula Quim Rosa Saúl Teo'.split(
    ' ',
  );
const SURNAMES =
  'Arias Blanco Cruz Durán Esteve Fuentes Gil Herrera Ibarra Lago Molina Ortega Prieto Rey Salas Vega'.split(' ');
const SOURCES: readonly ContactSource[] = ['form', 'form', 'form', 'import', 'manual'];
const TAGS = ['Madrid', 'VIP', 'Prensa', 'Taller de pódcast'];

/** A list of contacts, as it grows in two years, with tags, a segment, and some people who have left. */
export async function seedContacts(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  if (!person) return;
  const ctx = await actAs(runtime, person);
  const { creatorId } = requireCreator(ctx);
  const random = seededRandom('contacts');
  for (let i = 0; i < COUNT; i += 1) await seedContact(ctx, { creatorId, random, number: i });
  await tagContacts(ctx, creatorId, random);
  await saveSegment(ctx, { name: 'Prensa activa', filter: { status: 'active', tag: 'Prensa' } }).catch(() => {});
}

/** Buyers become contacts when the demo pays for them, now. Their subscriptions began earlier. */
export async function dateBuyers({ db }: Pick<Runtime, 'db'>): Promise<void> {
  await db.execute(sql`
    update ${contacts} as c set since = b.since
    from (select creator_id, user_id, min(since) as since from ${buyerStates} group by 1, 2) as b
    where b.creator_id = c.creator_id and b.user_id = c.user_id and b.since < c.since`);
}

type Place = { creatorId: number; random: Random; number: number };

async function seedContact(ctx: Ctx, { creatorId, random, number }: Place): Promise<void> {
  const name = `${random.pick(NAMES)} ${random.pick(SURNAMES)}`;
  const source = random.pick(SOURCES);
  const email = `${name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(' ', '.')}.${number}@correo.example`;
  const since = earlier(ctx.now(), DAYS(random.integer(1, DAYS_BACK)));
  const contact = {
    creatorId,
    email,
    name: random.next() < 0.2 ? '' : name,
    userId: null,
    source,
    language: 'es',
  } as const;
  await transact({ ...ctx, now: () => since }, (tx) => keepContact(tx, contact));
  if (random.next() > 0.08) return;
  const { url } = leaveLink(ctx, { creatorId, email }, 'es');
  await leaveNewsletter(ctx, { token: new URL(url).searchParams.get('list')! });
}

async function tagContacts(ctx: Ctx, creatorId: number, random: Random): Promise<void> {
  const rows = await ctx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.creatorId, creatorId), eq(contacts.language, 'es')))
    .orderBy(asc(contacts.email))
    .limit(COUNT);
  for (const tag of TAGS) {
    const ids = rows.flatMap(({ id }) => (random.next() < 0.25 ? [id] : []));
    await changeContacts(ctx, { action: 'tag', ids: ids.slice(0, 90), tag });
  }
}
