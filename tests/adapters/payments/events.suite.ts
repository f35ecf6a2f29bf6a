import Stripe from 'stripe';
import { expect } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { chargeCard, collectChecks, key, newSubscriber, type RemoteStripe } from './remote-stripe';
import { withBadCard } from './renewals.suite';

const SECRET = 'whsec_of_this_file';
const reader = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [SECRET], production: false });
const signer = new Stripe('sk_test_x').webhooks;

/** Reads the provider's own event of an object, signed by us: nobody can be called from here. */
async function toldOf({ stripe }: RemoteStripe, type: string, id: string) {
  const find = async () =>
    (await stripe.events.list({ type, limit: 100 })).data.find(
      ({ data }) => 'id' in data.object && data.object.id === id,
    );
  await expect.poll(find, { timeout: 30_000, interval: 500 }).toBeDefined();
  const payload = JSON.stringify(await find());
  return reader.readWebhook(payload, signer.generateTestHeaderString({ payload, secret: SECRET }), new Date());
}

export const eventChecks = collectChecks();
const { check } = eventChecks;

check('a new subscription is told of ("Types of events")', async (far) => {
  const { subscription } = await newSubscriber(far);

  expect(await toldOf(far, 'customer.subscription.created', subscription.id)).toMatchObject({
    type: 'subscription_changed',
    subscription: subscription.id,
    account: null,
    live: false,
  });
});

check('a paid invoice is told of with its subscription ("Types of events")', async (far) => {
  const { customer, subscription } = await newSubscriber(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  expect(await toldOf(far, 'invoice.paid', invoice!.id)).toMatchObject({
    type: 'invoice_paid',
    invoice: invoice!.id,
    subscription: subscription.id,
  });
});

check('a renewal that fails is told of with its subscription ("Types of events")', async (far) => {
  const { customer, subscription } = await withBadCard(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  expect(await toldOf(far, 'invoice.payment_failed', invoice!.id)).toMatchObject({
    type: 'invoice_failed',
    subscription: subscription.id,
  });
});

check('an end is told of ("Types of events")', async (far) => {
  const { subscription } = await newSubscriber(far);
  await far.payments.cancel(subscription.id, 'now', key());

  expect(await toldOf(far, 'customer.subscription.deleted', subscription.id)).toMatchObject({
    type: 'subscription_ended',
    subscription: subscription.id,
  });
});

check('a payment and its refund are told of ("Types of events")', async (far) => {
  const { id, latest_charge } = await chargeCard(far);
  await far.payments.refund(id, { reference: {} }, key());

  expect(await toldOf(far, 'payment_intent.succeeded', id)).toMatchObject({ type: 'payment_succeeded', payment: id });
  expect(await toldOf(far, 'charge.refunded', String(latest_charge))).toMatchObject({ type: 'refunded', payment: id });
});
