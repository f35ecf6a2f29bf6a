import Stripe from 'stripe';
import { expect } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { chargeCard, collectChecks, customerWithCard, key, newSubscriber, type RemoteStripe } from './remote-stripe';
import { withBadCard } from './renewals.suite';

const SECRET = 'whsec_of_this_file';
const reader = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [SECRET], production: false });
const signer = new Stripe('sk_test_x').webhooks;

/** Finds the provider's event and signs it ourselves, because no public endpoint could receive it. */
async function eventOf({ stripe }: RemoteStripe, type: string, id: string) {
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

check('a new subscription creates an event ("Types of events")', async (remote) => {
  const { subscription } = await newSubscriber(remote);

  expect(await eventOf(remote, 'customer.subscription.created', subscription.id)).toMatchObject({
    type: 'subscription_changed',
    subscription: subscription.id,
    account: null,
    live: false,
  });
});

check('the event of a paid invoice has its subscription ("Types of events")', async (remote) => {
  const { customer, subscription } = await newSubscriber(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  expect(await eventOf(remote, 'invoice.paid', invoice!.id)).toMatchObject({
    type: 'invoice_paid',
    invoice: invoice!.id,
    subscription: subscription.id,
  });
});

check('the event of a failed renewal has its subscription ("Types of events")', async (remote) => {
  const { customer, subscription } = await withBadCard(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  expect(await eventOf(remote, 'invoice.payment_failed', invoice!.id)).toMatchObject({
    type: 'invoice_failed',
    subscription: subscription.id,
  });
});

check('a cancellation creates an event ("Types of events")', async (remote) => {
  const { subscription } = await newSubscriber(remote);
  await remote.payments.cancel(subscription.id, 'now', key());

  expect(await eventOf(remote, 'customer.subscription.deleted', subscription.id)).toMatchObject({
    type: 'subscription_ended',
    subscription: subscription.id,
  });
});

check('the event of a removed card has its former customer ("Types of events")', async (remote) => {
  const { customer, card } = await customerWithCard(remote);
  await remote.payments.removeCard(card, key());

  expect(await eventOf(remote, 'payment_method.detached', card)).toMatchObject({
    type: 'card_removed',
    card,
    customer,
  });
});

check('a payment and its refund create events ("Types of events")', async (remote) => {
  const { id, latest_charge } = await chargeCard(remote);
  await remote.payments.refund(id, { reference: {} }, key());

  expect(await eventOf(remote, 'payment_intent.succeeded', id)).toMatchObject({
    type: 'payment_succeeded',
    payment: id,
  });
  expect(await eventOf(remote, 'charge.refunded', String(latest_charge))).toMatchObject({
    type: 'refunded',
    payment: id,
  });
});
