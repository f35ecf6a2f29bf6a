import { and, eq, isNull } from 'drizzle-orm';
import { feedLinks } from '~/db/schema/feeds';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { findHeardShow } from './heard-shows';
import { CREATORS_LINK } from './kinds';
import type { FindShow } from './schema';

/** The feed that a show's creator has made for the current user (subscriber-feed.ts), without its address. */
export type CreatorsLink = { createdAt: Date };

/** Null without one. @throws product.not_found */
export async function lookupCreatorsLink(ctx: Ctx, { productId }: FindShow): Promise<CreatorsLink | null> {
  const { userId } = requireUser(ctx);
  await findHeardShow(ctx, productId);
  const [row] = await ctx.db.select({ createdAt: feedLinks.createdAt }).from(feedLinks).where(isOf(userId, productId));
  return row ?? null;
}

/** The address stops working. Repeating it is harmless. @throws product.not_found */
export async function endCreatorsLink(ctx: Ctx, { productId }: FindShow): Promise<void> {
  const { userId } = requireUser(ctx);
  await findHeardShow(ctx, productId);
  await ctx.db.delete(feedLinks).where(isOf(userId, productId));
}

const isOf = (userId: number, productId: number) =>
  and(
    eq(feedLinks.userId, userId),
    eq(feedLinks.productId, productId),
    eq(feedLinks.app, CREATORS_LINK),
    isNull(feedLinks.replacedAt),
  );
