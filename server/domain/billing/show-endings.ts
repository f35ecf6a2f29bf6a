import { and, eq, inArray, or } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { type Ctx, type TxCtx, transact } from '../../ctx';
import { languagePrefix, SUBSCRIPTIONS_PATH } from '../../public-paths';
import { queueAccountEmail } from '../accounts/email-links';
import { findUser } from '../accounts/queries';
import { type End, queueEnds, queueResumes } from './ending';
import { nameOf } from './names';
import type { SubscriptionRow } from './rules';

/**
 * After a show's price or state has changed: nobody pays for a show that is free or deleted. While it becomes free, its
 * subscriptions end with their periods, and if that is called off, these continue. Reads the present state of the show,
 * so order and repetition do not matter.
 */
export async function syncShowSubscriptions(ctx: Ctx, { productId }: { productId: number }): Promise<void> {
  const [show] = await ctx.db.select().from(products).where(eq(products.id, productId));
  if (!show) return;
  const ofShow = and(eq(subscriptions.productId, productId), eq(subscriptions.purpose, 'show'));
  await transact(ctx, async (tx) => {
    if (show.retiredAt) await queueEnds(tx, ofShow, { reason: 'creator', when: 'now' });
    else if (show.priceMinor === null) await queueEnds(tx, ofShow, { reason: 'show_becomes_free', when: 'now' });
    else if (show.freeConversion) await endAndTell(tx, ofShow, { reason: 'show_becomes_free', when: 'at_period_end' });
    else await queueResumes(tx, ofShow, 'show_becomes_free');
  });
}

/**
 * When an account is deleted: what it pays for ends now, and subscriptions to the shows of its creator page end with their
 * periods; their subscribers are told. Repeating it is harmless.
 */
export async function endSubscriptionsOf(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const isPlan = and(eq(subscriptions.purpose, 'plan'), inArray(subscriptions.creatorId, own));
  const isToOwn = and(eq(subscriptions.purpose, 'show'), inArray(subscriptions.creatorId, own));
  await transact(ctx, async (tx) => {
    await queueEnds(tx, or(eq(subscriptions.userId, userId), isPlan), { reason: 'account_deleted', when: 'now' });
    await endAndTell(tx, isToOwn, { reason: 'creator', when: 'at_period_end' });
  });
}

async function endAndTell(tx: TxCtx, which: ReturnType<typeof and>, end: End): Promise<void> {
  for (const row of await queueEnds(tx, which, end)) await tell(tx, row);
}

async function tell(tx: TxCtx, row: SubscriptionRow): Promise<void> {
  const user = await findUser(tx, row.userId);
  if (user.deletedAt) return;
  const language = user.language ?? DEFAULT_LANGUAGE;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(row.periodEnd);
  await queueAccountEmail(tx, user, {
    topic: row.endReason === 'creator' ? 'creator_leaves' : 'subscription_becomes_free',
    url: tx.urls.app(languagePrefix(language) + SUBSCRIPTIONS_PATH),
    show: await nameOf(tx, row),
    date,
  });
}
