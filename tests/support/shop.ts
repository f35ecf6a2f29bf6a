import { handlePaymentEvent } from '~/jobs/catalog';
import { type CheckoutItem, openCheckout } from '~/server/domain/billing/checkouts';
import { handleEvent, receiveEvent } from '~/server/domain/billing/events';
import { systemCtx } from '~/server/runtime';
import { cast } from './cast';
import { runJobs } from './run-jobs';
import { payByForms } from './stripe-pages';
import { REAL_STRIPE, testStripe, WEBHOOK_SECRET } from './stripe-sandbox';

export const GOOD_CARD = '4242424242424242';
export const ADDRESSES = { success: 'http://altavoz.localhost:3000/thanks', cancel: 'http://altavoz.localhost:3000/' };

type Item = Omit<CheckoutItem, 'paths'>;

/**
 * The cast with a payment provider in the same database and on the same clock, whose webhooks reach the product when the
 * test delivers them. `settle` delivers all events and runs their jobs.
 */
export async function shop() {
  const stage = await cast({ settings: REAL_STRIPE });
  const { runtime, clock } = stage;
  const webhook = { url: 'http://altavoz.localhost:3000/webhooks/stripe', secret: WEBHOOK_SECRET };
  const receive = async (request: Request) => {
    const signature = request.headers.get('stripe-signature') ?? '';
    await receiveEvent(systemCtx(runtime, 'webhook'), { body: await request.text(), signature });
    return new Response('Received.');
  };
  const stripe = await testStripe({ url: stage.url, webhook, send: receive, now: () => clock.now });
  runtime.ports.payments = stripe.payments;
  const ctx = systemCtx(runtime, 'test');

  async function settle(): Promise<void> {
    await stripe.sandbox.tick();
    await stripe.sandbox.deliver();
    while ((await runJobs(runtime, handlePaymentEvent.name, (payload, ctx) => handleEvent(ctx, payload))) > 0);
  }
  /** Opens an item's payment page and pays on it like a browser. @returns the checkout's id */
  async function buy(item: Item, number = GOOD_CARD, country?: string): Promise<string> {
    const { id, url } = await openCheckout(ctx, { ...item, paths: ADDRESSES });
    await payByForms(stripe.fetch, url, { number, email: 'oyente@mail.example', proven: true, country });
    return id;
  }
  /** Moves both clocks, and settles what happens meanwhile. */
  async function pass(to: Date): Promise<void> {
    clock.now = to;
    await settle();
  }
  return { ...stage, ...stripe, ctx, clock, settle, buy, pass };
}

/** The terms of a show's subscription or purchase. */
export const showItem = (
  show: { id: number; creatorId: number; name: string; priceMinor: number | null; kind: string },
  buyer: CheckoutItem['buyer'],
  over: Partial<CheckoutItem['terms']> = {},
): Item => ({
  purpose: 'show',
  buyer,
  productId: show.id,
  creatorId: show.creatorId,
  terms: {
    name: show.name,
    priceMinor: show.priceMinor ?? 500,
    currency: 'eur',
    every: show.kind === 'podcast' ? 'month' : null,
    ...over,
  },
});
