import { type Ctx, transact } from '../../../runtime/ctx';
import { updateFee } from '../base/sales';
import { bringSale } from './bring-sale';

/**
 * The provider captures payments later than it reports them, and knows its own fee only then. The sale may not be
 * written yet, or be written just now from an answer without the fee.
 */
export async function learnFee(ctx: Ctx, payment: string): Promise<void> {
  const sale = await bringSale(ctx, payment);
  if (!sale || sale.providerFeeMinor !== null) return;
  const captured = await ctx.ports.payments.fetch.payment(payment);
  await ctx.reach('fee.fetched');
  await transact(ctx, (tx) => updateFee(tx, captured));
}
