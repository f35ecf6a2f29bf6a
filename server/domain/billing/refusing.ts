import type { Ctx } from '../../ctx';
import { AppError } from '../../errors';
import type { CheckoutRow } from './queries';

/** What a refused checkout has started at the provider. */
type Started = { subscription?: string; payment?: string };

/** Takes back what a refused checkout has started: nobody pays for what they do not get. Repeating it is harmless. */
export async function takeBack(ctx: Ctx, { id }: CheckoutRow, { subscription, payment }: Started): Promise<void> {
  const { payments } = ctx.ports;
  if (subscription) await payments.cancel(subscription, 'now', `checkout/${id}/refuse`).catch(ignoreConflict);
  if (payment)
    await payments
      .refund(payment, { reference: { checkout: id } }, `checkout/${id}/refund/${payment}`)
      .catch(ignoreConflict);
}

/** It has ended, or was refunded, before. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
}
