import type Stripe from 'stripe';
import { toMoney, toSeconds } from './convert';
import { paymentsConflict } from './errors';
import { toInvoice } from './invoices';
import type { EndPreview, Invoice, Leaving, Subscription } from './objects';
import { fetchPayment, refundableMinor } from './payments';
import type { Cancellation, Ending, PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';
import { conflictIfOver, EXPAND, fetchSubscription, isOver, toSubscription, updateSubscription } from './subscriptions';

/** Enough for the renewal of the present period and its changes. */
const MAX_INVOICES = 20;

type Operations = Pick<PaymentsPort, 'cancel' | 'previewEnd' | 'resume'>;

export function endingOperations(callStripe: CallStripe): Operations {
  const update = updateSubscription(callStripe);
  return {
    cancel: (id, how, key) => {
      const { when, leaving } = termsOf(how);
      const cancellation_details = leaving && detailsOf(leaving);
      if (when === 'at_period_end') return update(id, { cancel_at_period_end: true, cancellation_details }, key);
      return cancelNow(callStripe, id, { withCredit: when === 'now_with_credit', cancellation_details });
    },
    previewEnd: (id, at) =>
      conflictIfOver(callStripe)(
        id,
        callStripe((stripe) => previewEnd(stripe, id, at)),
      ),
    resume: (id, key) =>
      update(id, { cancel_at_period_end: false, cancellation_details: { comment: '', feedback: '' } }, key),
  };
}

const termsOf = (how: Ending | Cancellation): Cancellation => (typeof how === 'string' ? { when: how } : how);

const detailsOf = ({ reason, comment }: Leaving) => ({ feedback: reason ?? undefined, comment: comment ?? undefined });

type End = { withCredit: boolean; cancellation_details?: ReturnType<typeof detailsOf> };

/**
 * Stripe ignores idempotency keys for DELETE ("Idempotent requests"): after a lost response we read the subscription.
 */
async function cancelNow(callStripe: CallStripe, id: string, end: End): Promise<Subscription> {
  try {
    return await callStripe((stripe) => sendCancellation(stripe, id, end));
  } catch (error) {
    const found = await callStripe((stripe) => fetchSubscription(stripe, id)).catch(() => null);
    if (found && isOver(found)) return found;
    throw error;
  }
}

async function sendCancellation({ subscriptions }: Stripe, id: string, { withCredit, ...details }: End) {
  // Stripe would also credit the rest of a period that was never paid
  const credits = withCredit && (await subscriptions.retrieve(id)).status === 'active';
  const money = credits && { prorate: true, invoice_now: true };
  return toSubscription(await subscriptions.cancel(id, { ...money, ...details, expand: EXPAND }));
}

async function previewEnd(stripe: Stripe, id: string, at: Date): Promise<EndPreview> {
  const subscription = await stripe.subscriptions.retrieve(id);
  const { currency, status } = subscription;
  if (isOver(toSubscription(subscription))) throw paymentsConflict();
  if (status !== 'active') return { unused: toMoney(0, currency), refunds: [] };
  const unused = toMoney(await unusedOf(stripe, id, at), currency);
  const found = await stripe.invoices.list({
    subscription: id,
    status: 'paid',
    limit: MAX_INVOICES,
    expand: ['data.payments'],
  });
  return { unused, refunds: await splitByPayment(stripe, unused, found.data.map(toInvoice).filter(coversAfter(at))) };
}

async function unusedOf({ invoices }: Stripe, subscription: string, at: Date): Promise<number> {
  const end = { cancel_now: true, proration_behavior: 'always_invoice' as const, proration_date: toSeconds(at) };
  try {
    const { total } = await invoices.createPreview({ subscription, subscription_details: end });
    return Math.max(0, 0 - total);
  } catch (error) {
    // a period that costs nothing leaves nothing to credit
    if (error instanceof Error && 'code' in error && error.code === 'invoice_upcoming_none') return 0;
    throw error;
  }
}

const coversAfter = (at: Date) => (invoice: Invoice) => invoice.lines.some(({ to }) => to > at);

/** Refunds the newest payments first, each up to its amount that is left. */
async function splitByPayment(
  stripe: Stripe,
  unused: EndPreview['unused'],
  invoices: Invoice[],
): Promise<EndPreview['refunds']> {
  const refunds: EndPreview['refunds'] = [];
  let left = unused.minor;
  for (const { payment } of invoices) {
    if (left === 0) break;
    if (payment === null) continue;
    const part = Math.min(left, refundableMinor(await fetchPayment(stripe, payment)));
    if (part > 0) refunds.push({ payment, amount: { ...unused, minor: part } });
    left -= part;
  }
  return refunds;
}
