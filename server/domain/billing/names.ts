import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import type { Ctx } from '../../ctx';
import { PLANS } from '../../limits/plans';
import type { SubscriptionRow } from './rules';

/** What a subscription is for, in emails: the show, the plan, or the creator who gets a donation. */
export async function nameOf(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  { productId, plan, creatorId }: SubscriptionRow,
): Promise<string> {
  if (plan) return `${ctx.settings.operator.name} ${PLANS[plan].name}`;
  const [found] = productId
    ? await ctx.db.select({ name: products.name }).from(products).where(eq(products.id, productId))
    : await ctx.db.select({ name: creators.name }).from(creators).where(eq(creators.id, creatorId));
  return found?.name ?? '';
}
