import { and, eq, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { requireUser } from '../../../policy/actor';
import type { Ctx } from '../../../runtime/ctx';
import { pageNotClaimed } from '../base/errors';
import { findUser } from '../base/queries';
import { startProgress } from '../base/rules';
import type { GiveReason } from '../base/schema';

export type StartProgress = ReturnType<typeof startProgress>;

/**
 * The current user's progress in the start wizard, computed from other data; only what other data does not show is
 * stored.
 */
export async function readStartProgress(ctx: Ctx): Promise<StartProgress> {
  const { userId } = requireUser(ctx);
  const { signUpReason: reason, pageSharedAt } = await findUser(ctx, userId);
  const facts = { reason, isShared: pageSharedAt !== null };
  const page = await lookupOwnPage(ctx, userId);
  if (!page) return startProgress({ ...facts, hasPage: false, hasAbout: false, hasProduct: false });
  const shows = await ctx.db.$count(products, and(eq(products.creatorId, page.id), isNull(products.retiredAt)));
  return startProgress({ ...facts, hasPage: true, hasAbout: Boolean(page.aboutText), hasProduct: shows > 0 });
}

/** The account's own creator page, even while the user works for another creator. */
async function lookupOwnPage({ db }: Ctx, userId: number) {
  const { id, aboutText } = creators;
  const [page] = await db.select({ id, aboutText }).from(creators).where(eq(creators.userId, userId));
  return page ?? null;
}

/** Stores the current user's reason to sign up. A later answer replaces it. */
export async function giveReason(ctx: Ctx, { reason }: GiveReason): Promise<void> {
  const { userId } = requireUser(ctx);
  await ctx.db.update(users).set({ signUpReason: reason }).where(eq(users.id, userId));
}

/** Ends the start wizard. A repetition keeps the time of the first call. @throws account.page_not_claimed */
export async function markPageShared(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx);
  if (!(await lookupOwnPage(ctx, userId))) throw pageNotClaimed();
  const unshared = and(eq(users.id, userId), isNull(users.pageSharedAt));
  await ctx.db.update(users).set({ pageSharedAt: ctx.now() }).where(unshared);
}
