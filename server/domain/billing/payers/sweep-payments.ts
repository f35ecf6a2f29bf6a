import { and, asc, eq, inArray, isNotNull, lt, max } from 'drizzle-orm';
import { checkouts, paymentEvents } from '~/db/schema/checkouts';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import type { Ctx } from '../../../runtime/ctx';

/** Deletes a part of what the privacy policy says is not kept; the next run continues. */
export async function sweepPayments(ctx: Ctx): Promise<void> {
  await sweepEvents(ctx);
  await sweepCheckouts(ctx);
}

/**
 * Events that were handled. The one that arrived last stays: after a long time without any, it says from when on lost ones
 * are looked for (catching-up.ts).
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

/** Checkouts that nobody paid, with the address of a buyer without an account and what they wrote. */
async function sweepCheckouts({ db, now }: Ctx): Promise<void> {
  const isOld = and(eq(checkouts.status, 'closed'), lt(checkouts.updatedAt, earlier(now(), BILLING_LIMITS.kept)));
  const old = db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(isOld)
    .orderBy(asc(checkouts.updatedAt))
    .limit(BILLING_LIMITS.sweptAtOnce);
  // asked again: a payment that arrives meanwhile settles it
  await db.delete(checkouts).where(and(inArray(checkouts.id, old), isOld));
}
