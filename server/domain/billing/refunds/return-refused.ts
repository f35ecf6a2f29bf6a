import type { Ctx } from '../../../runtime/ctx';
import { lookupCheckout } from '../base/queries';
import { returnPayment } from '../base/take-back-payment';
import { syncRefunds } from './refunds';

type Refused = { checkoutId: string; payment: string; attempt: number };

/** The job that returns a refused payment again, after a refund has failed. Repeating it is harmless. */
export async function returnRefused(ctx: Ctx, { checkoutId, payment, attempt }: Refused): Promise<void> {
  const checkout = await lookupCheckout(ctx, checkoutId);
  if (!checkout) return;
  await returnPayment(ctx, checkout, { payment, attempt });
  await syncRefunds(ctx, payment);
}
