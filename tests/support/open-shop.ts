import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { type CheckoutItem, openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { handleEvent, receiveEvent } from '~/server/domain/billing/provider-sync/events';
import { handlePaymentEvent } from '~/server/queue/jobs/billing';
import { systemCtx } from '~/server/runtime/runtime';
import type { openTestRuntime } from './open-test-runtime';
import { openTestStripe, WEBHOOK_SECRET } from './open-test-stripe';
import { runJobs } from './run-jobs';

export const GOOD_CARD = '4242424242424242';
export const ADDRESSES = { success: 'http://altavoz.localhost:3000/thanks', cancel: 'http://altavoz.localhost:3000/' };

type Opened = Awaited<ReturnType<typeof openTestRuntime>>;
type Item = Omit<CheckoutItem, 'paths'>;

/**
 * A payment provider that uses a runtime's database and clock, and delivers its webhooks to the product on request.
 * `settle` delivers all events and runs their jobs, then does so for the payments that are captured some seconds later;
 * `handleEvents` leaves those waiting.
 */
export async function openShop({ runtime, clock, url }: Pick<Opened, 'runtime' | 'clock' | 'url'>) {
  const webhook = { url: 'http://altavoz.localhost:3000/webhooks/stripe', secret: WEBHOOK_SECRET };
  const receive = async (request: Request) => {
    const signature = request.headers.get('stripe-signature') ?? '';
    await receiveEvent(systemCtx(runtime, 'webhook'), { body: await request.text(), signature });
    return new Response('Received.');
  };
  const stripe = await openTestStripe(url, { webhook, send: receive, now: () => clock.now });
  runtime.ports.payments = stripe.payments;
  const ctx = systemCtx(runtime, 'test');

  async function settle(): Promise<void> {
    await stripe.sandbox.tick();
    await handleEvents();
    if ((await stripe.sandbox.capture()) > 0) await handleEvents();
  }
  async function handleEvents(): Promise<void> {
    await stripe.sandbox.deliver();
    while ((await runJobs(runtime, handlePaymentEvent.name, (payload, ctx) => handleEvent(ctx, payload))) > 0);
  }
  /** Opens an item's payment page and pays on it like a browser. @returns the checkout's id */
  async function buy(item: Item, number = GOOD_CARD, country?: string): Promise<string> {
    const page = await openCheckout(ctx, { ...item, paths: ADDRESSES });
    await payByForms(stripe.fetch, page.url, { number, email: 'oyente@mail.example', proven: true, country });
    return page.id;
  }
  /** Moves both clocks, and settles everything due until then. */
  async function pass(to: Date): Promise<void> {
    clock.now = to;
    await settle();
  }
  return { ...stripe, ctx, clock, settle, handleEvents, buy, pass };
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
