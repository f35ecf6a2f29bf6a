import type { Ctx } from '../../../runtime/ctx';
import { lookupSale } from '../base/queries';
import { syncInvoice } from '../subscriptions/subscriptions';
import { syncPayment } from './sync-checkout';

/** The provider captures payments later than it reports them, and knows its own fee only then. */
export async function learnFee(ctx: Ctx, payment: string): Promise<void> {
  const sale = await lookupSale(ctx, payment);
  if (!sale || sale.providerFeeMinor !== null) return;
  await (sale.invoiceId === null ? syncPayment(ctx, payment) : syncInvoice(ctx, sale.invoiceId));
}
