import Stripe from 'stripe';
import { expect } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import type { Behaves } from './far-end';

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

const subscriptionPart = { parent: { subscription_details: { subscription: 'sub_1' } } };

/** Event, its object, what it means to us. */
const MEANINGS: [string, object, object][] = [
  ['checkout.session.completed', { id: 'cs_1' }, { type: 'checkout_completed', checkout: 'cs_1' }],
  ['checkout.session.expired', { id: 'cs_1' }, { type: 'checkout_expired', checkout: 'cs_1' }],
  ['customer.subscription.created', { id: 'sub_1' }, { type: 'subscription_changed', subscription: 'sub_1' }],
  ['customer.subscription.updated', { id: 'sub_1' }, { type: 'subscription_changed', subscription: 'sub_1' }],
  ['customer.subscription.deleted', { id: 'sub_1' }, { type: 'subscription_ended', subscription: 'sub_1' }],
  ['customer.subscription.trial_will_end', { id: 'sub_1' }, { type: 'trial_ending', subscription: 'sub_1' }],
  [
    'invoice.paid',
    { id: 'in_1', ...subscriptionPart },
    { type: 'invoice_paid', invoice: 'in_1', subscription: 'sub_1' },
  ],
  [
    'invoice.payment_failed',
    { id: 'in_1', ...subscriptionPart },
    { type: 'invoice_failed', invoice: 'in_1', subscription: 'sub_1' },
  ],
  [
    'invoice.payment_action_required',
    { id: 'in_1', parent: null },
    { type: 'invoice_needs_customer', subscription: null },
  ],
  ['payment_intent.succeeded', { id: 'pi_1' }, { type: 'payment_succeeded', payment: 'pi_1' }],
  ['payment_intent.payment_failed', { id: 'pi_1' }, { type: 'payment_failed', payment: 'pi_1' }],
  ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, { type: 'refunded', payment: 'pi_1' }],
  [
    'charge.dispute.created',
    { id: 'du_1', payment_intent: 'pi_1' },
    { type: 'dispute_opened', dispute: 'du_1', payment: 'pi_1' },
  ],
  ['charge.dispute.closed', { id: 'du_1', payment_intent: 'pi_1' }, { type: 'dispute_closed', dispute: 'du_1' }],
  [
    'payment_method.attached',
    { id: 'pm_1', customer: 'cus_1' },
    { type: 'card_added', card: 'pm_1', customer: 'cus_1' },
  ],
  ['payment_method.detached', { id: 'pm_1', customer: null }, { type: 'card_removed', card: 'pm_1', customer: null }],
  ['account.updated', { id: 'acct_1' }, { type: 'account_changed', connected: 'acct_1' }],
  ['price.created', { id: 'price_1' }, { type: 'other', name: 'price.created' }],
];

export function webhookChecks(behaves: Behaves): void {
  for (const [type, object, meaning] of MEANINGS)
    behaves(`${type} is told in our words`, async () => {
      const body = bodyOf(type, object);

      expect(port.readWebhook(body, signed(body, NEW), NOW)).toMatchObject({
        id: 'evt_1',
        at: NOW,
        account: null,
        live: false,
        ...meaning,
      });
    });

  behaves('an event of a connected account names it', async () => {
    const body = bodyOf('payment_intent.succeeded', { id: 'pi_1' }, 'acct_7');

    expect(port.readWebhook(body, signed(body, NEW), NOW)).toMatchObject({ account: 'acct_7' });
  });

  behaves('both secrets are good while they are rotated', async () => {
    const body = bodyOf('invoice.paid', { id: 'in_1', parent: null });

    for (const secret of [OLD, NEW])
      expect(port.readWebhook(body, signed(body, secret), NOW)).toMatchObject({ invoice: 'in_1' });
  });

  const faults: [string, (body: string) => [string, string]][] = [
    ['another secret', (body) => [body, signed(body, 'whsec_guessed')]],
    ['a changed body', (body) => [body.replace('in_1', 'in_2'), signed(body, NEW)]],
    ['a signature of six minutes ago', (body) => [body, signed(body, NEW, NOW.getTime() / 1000 - 360)]],
    ['no signature', (body) => [body, '']],
    ['a signature of another scheme', (body) => [body, signed(body, NEW).replace('v1=', 'v0=')]],
    ['a body that is no JSON', () => ['{', signed('{', NEW)]],
  ];
  for (const [what, forge] of faults)
    behaves(`${what} is refused ("Verify webhook signatures")`, async () => {
      const [body, header] = forge(bodyOf('invoice.paid', { id: 'in_1', parent: null }));

      expect(() => port.readWebhook(body, header, NOW)).toThrow('payments.signature_invalid');
    });

  behaves('a signature of four minutes ago is good', async () => {
    const body = bodyOf('invoice.paid', { id: 'in_1', parent: null });

    expect(port.readWebhook(body, signed(body, NEW, NOW.getTime() / 1000 - 240), NOW)).toMatchObject({
      type: 'invoice_paid',
    });
  });

  behaves('a live key is refused outside production', async () => {
    const settings = { webhookSecrets: [], production: false };

    expect(() => stripePayments({ ...settings, secretKey: 'sk_live_x' })).toThrow('payments.not_set_up');
  });
}
