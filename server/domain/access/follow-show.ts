import { and, eq, gt } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { requireUser } from '../../policy/actor';
import { isProductPublic, whereLiveGrant, wherePaidGrant } from '../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { resubscribe } from '../notifications/unsubscribe';
import { productNotFound } from '../products/errors';
import { findProductRecord, type ProductRow } from '../products/queries';
import { notFree } from './errors';
import { endAccess, grantAccess } from './grant-access';

type FindShow = { productId: number };
export type Follow = { userId: number; productId: number };

/**
 * The current user follows a free show: with a private feed, and emails about new episodes. Repeating it is harmless.
 * @throws product.not_found, access.not_free
 */
export async function followShow(ctx: Ctx, { productId }: FindShow): Promise<void> {
  const { userId } = requireUser(ctx);
  await findFollowable(ctx, productId);
  await transact(ctx, (tx) => startFollowing(tx, { userId, productId }));
}

/** Ends the private feed and the emails at once. Access that the user has bought stays. Repeating it is harmless. */
export async function unfollowShow(ctx: Ctx, { productId }: FindShow): Promise<void> {
  const { userId } = requireUser(ctx);
  await transact(ctx, (tx) => endAccess(tx, { userId, productId, source: 'follow' }));
}

/** @throws product.not_found if the show is not public; access.not_free if the show is sold */
export async function findFollowable(ctx: Ctx, productId: number): Promise<ProductRow> {
  const { product } = await findProductRecord(ctx, productId);
  if (!isProductPublic(product)) throw productNotFound();
  if (product.priceMinor !== null) throw notFree();
  return product;
}

/** Following a show turns its emails on, even if the user had unsubscribed from them. */
export async function startFollowing(tx: TxCtx, { userId, productId }: Follow): Promise<void> {
  await grantAccess(tx, { userId, productId, source: 'follow' });
  const [user] = await tx.db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (user) await resubscribe(tx, { email: user.email, productId });
}

/** Whether the user has stopped following the show since an instant. */
export async function hasUnfollowedSince(ctx: Ctx, { userId, productId }: Follow, since: Date): Promise<boolean> {
  return (await ctx.db.$count(grants, and(isFollow({ userId, productId }), gt(grants.endsAt, since)))) > 0;
}

/** Whether the current user follows the show; null for a visitor. */
export async function isFollowing(ctx: Ctx, { productId }: FindShow): Promise<boolean | null> {
  if (ctx.actor.type !== 'user') return null;
  const { userId } = ctx.actor;
  return (
    (await ctx.db.$count(grants, and(isFollow({ userId, productId }), whereLiveGrant(ctx.now().toISOString())))) > 0
  );
}

/** Whether the current user has paid access to the show; null for a visitor. */
export async function hasPaidAccess(ctx: Ctx, { productId }: FindShow): Promise<boolean | null> {
  if (ctx.actor.type !== 'user') return null;
  const own = and(eq(grants.userId, ctx.actor.userId), eq(grants.productId, productId), wherePaidGrant());
  return (await ctx.db.$count(grants, and(own, whereLiveGrant(ctx.now().toISOString())))) > 0;
}

const isFollow = ({ userId, productId }: Follow) =>
  and(eq(grants.userId, userId), eq(grants.productId, productId), eq(grants.source, 'follow'));
