import { and, asc, eq, inArray, isNotNull, lt, max } from 'drizzle-orm';
import { checkouts, paymentEvents } from '~/db/schema/checkouts';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import type { Ctx } from '../../../runtime/ctx';

/** Deletes a batch of data that the privacy policy does not allow us to keep; the next run continues. */
export async function sweepPayments(ctx: Ctx): Promise<void> {
  await sweepEvents(ctx);
  await sweepCheckouts(ctx);
}

/**
 * Deletes handled events. The last one stays: after a long gap, its time decides from when lost events are searched
 * (catch-up.ts).
 */
async function sweepEvents({ db, now }: Ctx): Promise<void> {
  const last = db.select({ at: max(paymentEvents.receivedAt) }).from(paymentEvents);
  const old = db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(
      and(
        lt(paymentEvents.at, earlier(now(), BILLING_LIMITS.kept)),
        isNotNull(paymentEvents.handledAt),
        lt(paymentEvents.receivedAt, last),
      ),
    )
    .orderBy(asc(paymentEvents.at))
    .limit(BILLING_LIMITS.sweptAtOnce);
  await db.delete(paymentEvents).where(inArray(paymentEvents.id, old));
}

/** Deletes unpaid checkouts, which may contain a guest's address and messages. */
async function sweepCheckouts({ db, now }: Ctx): Promise<void> {
  const isOld = and(eq(checkouts.status, 'closed'), lt(checkouts.updatedAt, earlier(now(), BILLING_LIMITS.kept)));
  const old = db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(isOld)
    .orderBy(asc(checkouts.updatedAt))
    .limit(BILLING_LIMITS.sweptAtOnce);
  // checked again: a payment that arrives meanwhile settles the checkout
  await db.delete(checkouts).where(and(inArray(checkouts.id, old), isOld));
}
