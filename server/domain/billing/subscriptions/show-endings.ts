import { and, eq, inArray, or, type SQL } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { formatDate, localeOf } from '../../../base/formats';
import { languagePrefix, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { BILLING_LIMITS } from '../../../limits/billing';
import { syncShowSubscriptions as syncJob } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import type { UserRow } from '../../accounts/base/queries';
import { type OutgoingEmail, queueEmails } from '../../notifications/outbox';
import { type AccountTopic, accountEmail } from '../../notifications/templates/account-email';
import type { ProductRow } from '../../products/queries';
import type { SubscriptionRow } from '../base/rules';
import { type End, type Part, queueEnds, queueResumes } from './end-subscriptions';

const LIMIT = BILLING_LIMITS.markedAtOnce;

/**
 * Call it after a show's price or state has changed: subscribers must not pay for a show that is free or deleted. While
 * the show becomes free, its subscriptions end with their periods or now; if that is called off, they continue, as
 * after a takedown is reversed. It reads the current state of the show, so order and repetition do not matter. It works
 * in batches: the marks, the emails and the job for the next batch are committed together, so subscribers are told
 * once.
 */
export async function syncShowSubscriptions(ctx: Ctx, { productId, after = 0 }: Batch): Promise<void> {
  const [show] = await ctx.db.select().from(products).where(eq(products.id, productId));
  if (!show) return;
  await transact(ctx, async (tx) => {
    const last = lastOf(await syncPart(tx, show, { after, limit: LIMIT }));
    if (last !== null) await tx.jobs.enqueue(syncJob, { productId, after: last });
  });
}

type Batch = { productId: number; after?: number };

async function syncPart(tx: TxCtx, show: ProductRow, part: Part): Promise<{ id: number }[]> {
  const ofShow = and(eq(subscriptions.productId, show.id), eq(subscriptions.purpose, 'show'));
  if (show.retiredAt) return queueEnds(tx, ofShow, { reason: 'creator', when: 'now' }, part);
  if (show.priceMinor === null) return queueEnds(tx, ofShow, { reason: 'show_becomes_free', when: 'now' }, part);
  // subscribers are told the refunded amount, once it is known
  if (show.freeConversion === 'refund') return queueEnds(tx, ofShow, { reason: 'refunded', when: 'now' }, part);
  if (show.freeConversion) return endAndTell(tx, ofShow, { reason: 'show_becomes_free', when: 'at_period_end' }, part);
  if (show.takenDownAt) return endAndTell(tx, ofShow, { reason: 'taken_down', when: 'at_period_end' }, part);
  return queueResumes(tx, ofShow, ['show_becomes_free', 'taken_down'], part);
}

/** The last id of a full batch, after which others may follow. */
const lastOf = (rows: { id: number }[]): number | null =>
  rows.length < LIMIT ? null : Math.max(...rows.map(({ id }) => id));

/**
 * Call it when an account is deleted: its own subscriptions end now, and subscriptions to the shows of its creator page
 * end with their periods; their subscribers are told. Repeating it is harmless.
 */
export async function endSubscriptionsOf(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const isPlan = and(eq(subscriptions.purpose, 'plan'), inArray(subscriptions.creatorId, own));
  const isToOwn = and(eq(subscriptions.purpose, 'show'), inArray(subscriptions.creatorId, own));
  await transact(ctx, (tx) =>
    queueEnds(tx, or(eq(subscriptions.userId, userId), isPlan), { reason: 'account_deleted', when: 'now' }),
  );
  const end = { reason: 'creator', when: 'at_period_end' } as const;
  // marked subscriptions are skipped, so a killed deletion continues
  for (let after: number | null = 0; after !== null; ) {
    const part: Part = { after, limit: LIMIT };
    after = lastOf(await transact(ctx, (tx) => endAndTell(tx, isToOwn, end, part)));
  }
}

async function endAndTell(tx: TxCtx, which: SQL | undefined, end: End, part: Part): Promise<SubscriptionRow[]> {
  const rows = await queueEnds(tx, which, end, part);
  if (rows.length === 0) return rows;
  const people = await byId(
    tx.db
      .select()
      .from(users)
      .where(inArray(users.id, [...new Set(rows.map(toUserId))])),
  );
  const ids = [...new Set(rows.map(({ productId }) => productId!))];
  const shows = await byId(
    tx.db.select({ id: products.id, name: products.name }).from(products).where(inArray(products.id, ids)),
  );
  const emails = rows.flatMap((row) => {
    const user = people.get(row.userId);
    return user && !user.deletedAt ? [emailTo(tx, user, row, shows.get(row.productId!)?.name ?? '')] : [];
  });
  await queueEmails(tx, emails);
  return rows;
}

const toUserId = ({ userId }: SubscriptionRow) => userId;

async function byId<Row extends { id: number }>(query: PromiseLike<Row[]>): Promise<Map<number, Row>> {
  return new Map((await query).map((row) => [row.id, row]));
}

const TOPICS: Record<string, AccountTopic> = { creator: 'creator_leaves', taken_down: 'show_taken_down' };

/** Unverified addresses get the email, too: the user has paid. */
function emailTo(tx: TxCtx, user: UserRow, { endReason, periodEnd }: SubscriptionRow, show: string): OutgoingEmail {
  const language = user.language ?? DEFAULT_LANGUAGE;
  const topic = TOPICS[endReason ?? ''] ?? 'subscription_becomes_free';
  const date = formatDate(periodEnd, localeOf(language, user.country));
  const url = tx.urls.app(languagePrefix(language) + SUBSCRIPTIONS_PATH);
  const facts = { name: user.name, show, date, url };
  const { subject, content } = accountEmail((key, params) => tx.translate(key, params, language), topic, facts);
  return { to: user.email, userId: user.id, topic, language, subject, content };
}
