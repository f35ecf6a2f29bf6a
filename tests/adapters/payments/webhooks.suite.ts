import Stripe from 'stripe';
import { expect } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { HANDLED_EVENTS } from '~/server/adapters/payments/webhooks';
import { collectChecks } from './remote-stripe';

const NOW = new Date('2026-03-02T09:00:00Z');
const OLD = 'whsec_the_old_one';
const NEW = 'whsec_the_new_one';
const port = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [OLD, NEW], production: false });
const signer = new Stripe('sk_test_x').webhooks;

const bodyOf = (type: string, object: object, account?: string) =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type,
    created: 1_772_442_000,
    livemode: false,
    account,
    data: { object },
  });

const signed = (payload: string, secret: string, timestamp = NOW.getTime() / 1000) =>
  signer.generateTestHeaderString({ payload, secret, timestamp });

const session = { id: 'cs_1' };
const subscription = { id: 'sub_1' };
const invoice = { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } };
const payment = { id: 'pi_1', customer: 'cus_1', metadata: { order: '17' } };
const charge = { id: 'ch_1', payment_intent: 'pi_1', customer: null, metadata: {} };
const refund = { id: 're_1', payment_intent: 'pi_1' };
const dispute = { id: 'du_1', payment_intent: 'pi_1' };
const card = { id: 'pm_1', customer: 'cus_1' };

/** Event type, its object, our event. */
const MEANINGS: [string, object, object][] = [
  ['checkout.session.completed', session, { type: 'checkout_completed', checkout: 'cs_1' }],
  ['checkout.session.async_payment_succeeded', session, { type: 'checkout_completed', checkout: 'cs_1' }],
  ['checkout.session.expired', session, { type: 'checkout_expired', checkout: 'cs_1' }],
  ['checkout.session.async_payment_failed', session, { type: 'checkout_expired', checkout: 'cs_1' }],
  ['customer.subscription.created', subscription, { type: 'subscription_changed', subscription: 'sub_1' }],
  ['customer.subscription.updated', subscription, { type: 'subscription_changed', subscription: 'sub_1' }],
  ['customer.subscription.paused', subscription, { type: 'subscription_changed', subscription: 'sub_1' }],
  ['customer.subscription.resumed', subscription, { type: 'subscription_changed', subscription: 'sub_1' }],
  ['customer.subscription.deleted', subscription, { type: 'subscription_ended', subscription: 'sub_1' }],
  ['customer.subscription.trial_will_end', subscription, { type: 'trial_ending', subscription: 'sub_1' }],
  ['invoice.paid', invoice, { type: 'invoice_paid', invoice: 'in_1', subscription: 'sub_1' }],
  ['invoice.payment_failed', invoice, { type: 'invoice_failed', invoice: 'in_1', subscription: 'sub_1' }],
  [
    'invoice.payment_action_required',
    { id: 'in_1', parent: null },
    { type: 'invoice_needs_customer', invoice: 'in_1', subscription: null },
  ],
  [
    'payment_intent.succeeded',
    payment,
    { type: 'payment_succeeded', payment: 'pi_1', customer: 'cus_1', reference: { order: '17' } },
  ],
  [
    'payment_intent.payment_failed',
    { ...payment, customer: null },
    { type: 'payment_failed', payment: 'pi_1', customer: null, reference: { order: '17' } },
  ],
  ['charge.refunded', charge, { type: 'refunded', payment: 'pi_1', customer: null, reference: {} }],
  ['refund.updated', refund, { type: 'refund_changed', refund: 're_1', payment: 'pi_1' }],
  ['refund.failed', { ...refund, payment_intent: null }, { type: 'refund_changed', refund: 're_1', payment: null }],
  ['charge.dispute.created', dispute, { type: 'dispute_opened', dispute: 'du_1', payment: 'pi_1' }],
  ['charge.dispute.updated', dispute, { type: 'dispute_changed', dispute: 'du_1', payment: 'pi_1' }],
  ['charge.dispute.funds_withdrawn', dispute, { type: 'dispute_changed', dispute: 'du_1', payment: 'pi_1' }],
  ['charge.dispute.funds_reinstated', dispute, { type: 'dispute_changed', dispute: 'du_1', payment: 'pi_1' }],
  [
    'charge.dispute.closed',
    { id: 'du_1', payment_intent: payment },
    { type: 'dispute_closed', dispute: 'du_1', payment: 'pi_1' },
  ],
  ['payment_method.attached', card, { type: 'card_added', card: 'pm_1', customer: 'cus_1' }],
  ['payment_method.updated', card, { type: 'card_changed', card: 'pm_1', customer: 'cus_1' }],
  ['payment_method.automatically_updated', card, { type: 'card_changed', card: 'pm_1', customer: 'cus_1' }],
  ['payment_method.detached', { id: 'pm_1', customer: null }, { type: 'card_removed', card: 'pm_1', customer: null }],
  ['account.updated', { id: 'acct_1' }, { type: 'account_changed', connected: 'acct_1' }],
  ...(['created', 'updated'] as const).map((what): [string, object, object] => [
    `radar.early_fraud_warning.${what}`,
    { id: 'issfr_1', payment_intent: 'pi_1' },
    { type: 'payment_warning', kind: 'fraud', warning: 'issfr_1', payment: 'pi_1' },
  ]),
  ...(['opened', 'closed'] as const).map((what): [string, object, object] => [
    `review.${what}`,
    { id: 'prv_1', payment_intent: 'pi_1' },
    { type: 'payment_warning', kind: 'review', warning: 'prv_1', payment: 'pi_1' },
  ]),
  ['charge.updated', { id: 'ch_1', payment_intent: 'pi_1' }, { type: 'charge_changed', payment: 'pi_1' }],
  ['account.application.deauthorized', { id: 'ca_1' }, { type: 'account_disconnected' }],
  ['price.created', { id: 'price_1' }, { type: 'other', name: 'price.created' }],
];

export const webhookChecks = collectChecks();
const { check } = webhookChecks;

for (const [type, object, meaning] of MEANINGS)
  check(`${type} is converted to our event ("Types of events")`, async () => {
    const body = bodyOf(type, object);

    const event = await port.readWebhook(body, signed(body, NEW), NOW);

    expect(event).toEqual({ id: 'evt_1', at: NOW, account: null, live: false, ...meaning });
  });

check('a removed card’s event names its former customer ("Types of events": previous_attributes)', async () => {
  const [type, object] = ['payment_method.detached', { id: 'pm_1', customer: null }];
  const data = { object, previous_attributes: { customer: 'cus_1' } };
  const body = JSON.stringify({ ...JSON.parse(bodyOf(type, object)), data });

  const event = await port.readWebhook(body, signed(body, NEW), NOW);

  expect(event).toMatchObject({ type: 'card_removed', card: 'pm_1', customer: 'cus_1' });
});

check('every handled event is tested', async () => {
  const held = MEANINGS.map(([type]) => type);

  expect(HANDLED_EVENTS.filter((type) => !held.includes(type))).toEqual([]);
});

check('an event of a connected account has the id of the account', async () => {
  const body = bodyOf('payment_intent.succeeded', payment, 'acct_7');

  expect(await port.readWebhook(body, signed(body, NEW), NOW)).toMatchObject({ account: 'acct_7' });
});

const PAID = bodyOf('invoice.paid', { id: 'in_1', parent: null });

check('both secrets are valid during rotation', async () => {
  for (const secret of [OLD, NEW])
    expect(await port.readWebhook(PAID, signed(PAID, secret), NOW)).toMatchObject({ invoice: 'in_1' });
});

check('one valid signature of two is enough, in either order ("Roll endpoint signing secrets")', async () => {
  const [time, old] = signed(PAID, 'whsec_of_the_day_before').split(',');
  const good = signed(PAID, NEW).split(',')[1];

  for (const header of [`${time},${old},${good}`, `${time},${good},${old}`])
    expect(await port.readWebhook(PAID, header, NOW)).toMatchObject({ invoice: 'in_1' });
});

const at = (age: number) => signed(PAID, NEW, NOW.getTime() / 1000 - age);
const faults: [string, string, string][] = [
  ['another secret', PAID, signed(PAID, 'whsec_guessed')],
  ['a changed body', PAID.replace('in_1', 'in_2'), signed(PAID, NEW)],
  ['a changed time', PAID, signed(PAID, NEW).replace(/t=\d+/, `t=${NOW.getTime() / 1000 + 1}`)],
  ['a signature one second older than five minutes', PAID, at(301)],
  ['no signature', PAID, ''],
  ['a different header', PAID, 'Bearer x'],
  ['a signature with another scheme', PAID, signed(PAID, NEW).replace('v1=', 'v0=')],
  ['a body that is not JSON', '{', signed('{', NEW)],
];
for (const [what, body, header] of faults)
  check(`${what} is rejected ("Verify webhook signatures")`, async () => {
    await expect(port.readWebhook(body, header, NOW)).rejects.toMatchObject({
      code: 'payments.signature_invalid',
      kind: 'invalid',
    });
  });

check('a signature of exactly five minutes is valid ("Verify webhook signatures")', async () => {
  expect(await port.readWebhook(PAID, at(300), NOW)).toMatchObject({ type: 'invoice_paid' });
});

check('without a secret every webhook is rejected', async () => {
  const deaf = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [], production: false });

  await expect(deaf.readWebhook(PAID, signed(PAID, ''), NOW)).rejects.toThrow('payments.signature_invalid');
});

check('a live key is rejected outside production', async () => {
  const settings = { webhookSecrets: [], production: false };

  expect(() => stripePayments({ ...settings, secretKey: 'sk_live_x' })).toThrow('payments.not_set_up');
});
