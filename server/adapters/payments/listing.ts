import type Stripe from 'stripe';
import type { Page } from './book-port';
import { toSeconds } from './convert';
import type { Payment } from './objects';
import type { PaymentEvent } from './payment-events';
import { CHARGE, fetchInvoiceLink, toPayment } from './payments';
import type { EventPage, PaymentPage, PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';
import { SUBSCRIPTION_PAGE, toSubscription } from './subscriptions';
import { toEvent } from './webhooks';

/** Stripe's longest page. */
const MAX_PAGE = 100;
/** Links that are fetched at once. Stripe limits calls per second, and pages of buyers need them too. */
const AT_ONCE = 5;

type Operations = Pick<PaymentsPort, 'listEvents' | 'listSubscriptions' | 'listPayments'>;

export function listOperations(callStripe: CallStripe): Operations {
  return {
    listEvents: (page) => callStripe((stripe) => listEvents(stripe, page)),
    listSubscriptions: ({ customer, ...page }) =>
      callStripe(async (stripe) => {
        const params = { customer, status: 'all' as const, ...cursorOf(page), expand: SUBSCRIPTION_PAGE };
        return (await stripe.subscriptions.list(params)).data.map(toSubscription);
      }),
    listPayments: (page) => callStripe((stripe) => listPayments(stripe, page)),
  };
}

const cursorOf = ({ after, limit }: Page) => ({ starting_after: after, limit: Math.min(limit, MAX_PAGE) });

/** Stripe lists newest first: the page before a cursor has the events that follow it. */
async function listEvents(stripe: Stripe, page: EventPage): Promise<PaymentEvent[]> {
  const limit = Math.min(page.limit, MAX_PAGE);
  const cursor = 'after' in page ? page.after : await lastEventBefore(stripe, page.since);
  if (cursor === null) return oldestEvents(stripe, limit);
  const { data } = await stripe.events.list({ ending_before: cursor, limit });
  return data.map(toEvent).reverse();
}

async function lastEventBefore(stripe: Stripe, since: Date): Promise<string | null> {
  const { data } = await stripe.events.list({ created: { lt: toSeconds(since) }, limit: 1 });
  return data[0]?.id ?? null;
}

/** Without an earlier event as a cursor, the oldest ones are at the end of the list. */
async function oldestEvents(stripe: Stripe, limit: number): Promise<PaymentEvent[]> {
  const oldest: Stripe.Event[] = [];
  for await (const event of stripe.events.list({ limit: MAX_PAGE })) {
    oldest.unshift(event);
    if (oldest.length > limit) oldest.pop();
  }
  return oldest.map(toEvent);
}

async function listPayments(stripe: Stripe, { since, customer, ...page }: PaymentPage): Promise<Payment[]> {
  const { data: intents } = await stripe.paymentIntents.list({
    customer,
    ...(since && { created: { gte: toSeconds(since) } }),
    ...cursorOf(page),
    expand: [`data.${CHARGE}`],
  });
  const payments: Payment[] = [];
  for (let from = 0; from < intents.length; from += AT_ONCE) {
    const group = intents.slice(from, from + AT_ONCE);
    payments.push(...(await Promise.all(group.map((intent) => withLink(stripe, intent)))));
  }
  return payments;
}

const withLink = async (stripe: Stripe, intent: Stripe.PaymentIntent) =>
  toPayment(intent, await fetchInvoiceLink(stripe, intent.id));
