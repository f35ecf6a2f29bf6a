import { and, asc, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { authorize } from '../../policy/authorize';
import { actorInQuery, whereGranted } from '../../policy/visibility';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { productNotFound } from '../products/errors';
import { lockProduct } from '../products/price-product';
import { findProductRecord } from '../products/queries';
import { spareSubscribers } from '../products/spare-subscribers';
import { recordActivity } from '../team/activity';
import { campaignForSubscribers, promiseNeedsPrice } from './errors';
import { whereNotEnded } from './queries';
import type { PromiseNoInsertions } from './schema';

/**
 * Promises the subscribers of a paid show that they hear no insertions, or takes the promise back. Repeating it changes
 * nothing. @throws product.not_found, promise.needs_price, promise.campaign_plays
 */
export async function promiseNoInsertions(ctx: Ctx, { productId, isPromised }: PromiseNoInsertions): Promise<void> {
  const found = await findProductRecord(ctx, productId);
  const { creatorId } = authorize(ctx, 'product.manage', found.product);
  await transact(ctx, async (tx) => {
    // a campaign that is saved at the same time waits, and finds the promise
    const product = await lockProduct(tx, productId);
    if (!product) throw productNotFound();
    if ((product.insertionFreeSince !== null) === isPromised) return;
    if (isPromised && product.priceMinor === null) throw promiseNeedsPrice();
    const campaign = isPromised ? await lookupForSubscribers(tx, productId) : null;
    if (campaign !== null) throw campaignForSubscribers({ campaign });
    await tx.reach('promise.checked');
    await spareSubscribers(tx, product, isPromised);
    await tx.jobs.enqueue(refreshServed, { productId });
    const action = isPromised ? 'product.insertions_promised' : 'product.insertions_promise_ended';
    await recordActivity(tx, { creatorId, action, subjectId: productId, params: { name: product.name } });
  });
}

/** The name of a campaign that plays to subscribers, or may be switched on again. Drafts play nowhere. */
async function lookupForSubscribers({ db, now }: TxCtx, productId: number): Promise<string | null> {
  const { id, name, isComplete, inPrivateFeeds } = insertionCampaigns;
  const [row] = await db
    .select({ name })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(and(eq(insertionCampaigns.productId, productId), isComplete, inPrivateFeeds, whereNotEnded(now())))
    .orderBy(asc(id))
    .limit(1);
  return row?.name ?? null;
}

/** Since when the show of an episode promises no insertions to the user who asks; null if it promises them nothing. */
export async function lookupPromise(ctx: Pick<Ctx, 'db' | 'actor' | 'now'>, episodeId: number): Promise<Date | null> {
  const [row] = await ctx.db
    .select({ since: products.insertionFreeSince, hasGrant: whereGranted(actorInQuery(ctx)) })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(eq(episodes.id, episodeId));
  return row?.hasGrant ? row.since : null;
}
