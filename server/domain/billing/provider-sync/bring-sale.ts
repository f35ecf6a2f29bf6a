import type { Ctx } from '../../../runtime/ctx';
import { lookupSale, type SaleRow } from '../base/queries';
import { syncInvoice } from '../subscriptions/subscriptions';
import { syncPayment } from './sync-checkout';

/** The sale of a payment. Events about a first payment may arrive before the payment's own: then it is written now. */
export async function bringSale(ctx: Ctx, payment: string): Promise<SaleRow | null> {
  const known = await lookupSale(ctx, payment);
  if (known) return known;
  const { invoice } = await ctx.ports.payments.fetch.payment(payment);
  await (invoice === null ? syncPayment(ctx, payment) : syncInvoice(ctx, invoice));
  return lookupSale(ctx, payment);
}
