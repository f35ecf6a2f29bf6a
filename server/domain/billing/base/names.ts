import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { PLANS } from '../../../limits/plans';
import type { Ctx } from '../../../runtime/ctx';
import type { CheckoutRow } from './queries';
import type { SubscriptionRow } from './rules';

/** The subject of a subscription in emails: the show, the plan, or the creator who gets a donation. */
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

/** The id of an email about a checkout: repetitions have the same id, so the email is queued once. */
export function emailId({ id }: Pick<CheckoutRow, 'id'>, topic: string): string {
  const hex = createHash('sha256').update(`${id} ${topic}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
