import { and, eq, gt, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { announcements } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { Language } from '~/locales/languages';
import { DAYS, earlier } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { isDripped, placeInDrip } from '../../policy/drip';
import {
  isOpen,
  whereEpisodeOffered,
  whereLiveGrant,
  whereOpeningGrant,
  wherePaidGrant,
  wherePublished,
} from '../../policy/visibility';
import { announceEpisode as announceJob } from '../../queue/jobs/episodes';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type OutgoingEmail, queueEmails } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { unsubscribeLink } from '../notifications/unsubscribe';
import { descriptionText } from './description-html';

const TOPIC = 'new_episode';
type Batch = { episodeId: number; until: string; after: number };

/**
 * The job that emails a published episode to its subscribers, a batch per transaction: the recipients, the emails and
 * the job for the next batch are committed together. Recipients get one email, even if the job runs several times. It
 * stops if the episode was unpublished, deleted or taken down meanwhile.
 */
export async function announceEpisode(ctx: Ctx, batch: Batch): Promise<void> {
  const found = await lookupAnnounced(ctx, batch.episodeId);
  if (!found) return;
  const excerpt = shorten(await descriptionText(found.episode.description));
  await transact(ctx, async (tx) => {
    const people = await listRecipients(tx, found, batch);
    const last = people.at(-1);
    if (!last) return;
    const told = await tx.db
      .insert(announcements)
      .values(people.map(({ id }) => ({ episodeId: batch.episodeId, userId: id, createdAt: tx.now() })))
      .onConflictDoNothing()
      .returning({ userId: announcements.userId });
    const ids = new Set(told.map(({ userId }) => userId));
    const emails = people.filter(({ id }) => ids.has(id)).map((person) => emailTo(tx, { ...found, excerpt }, person));
    await queueEmails(tx, emails);
    if (people.length === EPISODE_LIMITS.announcedAtOnce)
      await tx.jobs.enqueue(announceJob, { ...batch, after: last.id });
  });
}

const ANNOUNCED = {
  episode: {
    id: episodes.id,
    name: episodes.name,
    slug: episodes.slug,
    type: episodes.type,
    earlyUntil: episodes.earlyUntil,
    description: episodes.description,
  },
  product: {
    id: products.id,
    name: products.name,
    slug: products.slug,
    language: products.language,
    message: products.subscriberEmailMessage,
    priceMinor: products.priceMinor,
    dripDays: products.dripDays,
  },
  creator: { id: creators.id, name: creators.name, domain: creators.domain },
  place: placeInDrip(),
};
type Announced = NonNullable<Awaited<ReturnType<typeof lookupAnnounced>>>;

async function lookupAnnounced(ctx: Ctx, episodeId: number) {
  const [row] = await ctx.db
    .select(ANNOUNCED)
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .where(and(eq(episodes.id, episodeId), whereEpisodeOffered(), wherePublished(), eq(episodes.sendEmail, true)));
  return row ?? null;
}

/**
 * The next people who may hear the episode and want emails, in the order of their ids. Only verified or paying
 * addresses get emails, because a user can follow a show with another person's address.
 */
function listRecipients(tx: TxCtx, announced: Announced, { until, after }: Batch) {
  const { episode, product } = announced;
  const now = tx.now().toISOString();
  const optOut = tx.db
    .select({ email: episodeEmailOptOuts.email })
    .from(episodeEmailOptOuts)
    .where(and(eq(episodeEmailOptOuts.email, users.email), eq(episodeEmailOptOuts.productId, product.id)));
  const told = tx.db
    .select({ userId: announcements.userId })
    .from(announcements)
    .where(and(eq(announcements.episodeId, episode.id), eq(announcements.userId, users.id)));
  return tx.db
    .selectDistinct({ id: users.id, email: users.email, name: users.name, language: users.language })
    .from(grants)
    .innerJoin(users, eq(users.id, grants.userId))
    .innerJoin(products, eq(products.id, grants.productId))
    .where(
      and(
        eq(grants.productId, product.id),
        gt(users.id, after),
        lte(grants.startsAt, sql`${until}::timestamptz`),
        isOpen(episode) ? whereLiveGrant(now) : whereOpeningGrant(now),
        isDripped(episode, product) ? lte(grants.dripsFrom, lastToHear(announced, tx.now())) : undefined,
        or(isNotNull(users.emailVerifiedAt), wherePaidGrant()),
        isNull(users.deletionRequestedAt),
        isNull(users.deletedAt),
        notExists(optOut),
        notExists(told),
      ),
    )
    .orderBy(users.id)
    .limit(EPISODE_LIMITS.announcedAtOnce);
}

/** Listeners who joined later must wait for the episode. */
const lastToHear = ({ product, place }: Announced, now: Date): Date => earlier(now, DAYS(product.dripDays * place));

type Recipient = { id: number; email: string; name: string; language: Language | null };

function emailTo(tx: TxCtx, announced: Announced & { excerpt: string }, person: Recipient): OutgoingEmail {
  const { episode, product, creator, excerpt } = announced;
  const language = person.language ?? (product.language.startsWith('es') ? 'es' : 'en');
  const url = tx.urls.episode(creator.domain, product.slug, episode.slug);
  const facts = { name: person.name, show: product.name, episode: episode.name, creator: creator.name, url };
  const { subject, content } = accountEmail((key, params) => tx.translate(key, params, language), TOPIC, facts);
  const unsubscribe = unsubscribeLink(tx, { email: person.email, productId: product.id }, language);
  const label = tx.translate('mail:new_episode.unsubscribe', { show: product.name }, language);
  return {
    to: person.email,
    userId: person.id,
    creatorId: creator.id,
    productId: product.id,
    topic: TOPIC,
    language,
    subject,
    content: {
      ...content,
      paragraphs: [...content.paragraphs, excerpt, product.message].filter((text) => text !== ''),
      footerLink: { label, url: unsubscribe.url },
    },
    headers: unsubscribe.headers,
  };
}

/** Cuts after the last whole word. */
function shorten(text: string): string {
  const { excerptLength } = EPISODE_LIMITS;
  if (text.length <= excerptLength) return text;
  const cut = text.slice(0, excerptLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), excerptLength / 2)).trimEnd()}…`;
}
