import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest, wrongState } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import {
  arrayOf,
  currency,
  flag,
  group,
  integer,
  MIN_AMOUNTS,
  mergeMetadata,
  metadata,
  oneOf,
  required,
  statementSuffix,
  text,
} from '../wire/shapes';
import { findCustomer, useCustomerClock } from './customers';
import { assertNotConfirming, attemptOf, CONFIRM, confirmIntent } from './payment-confirmation';
import { resolveMethod } from './payment-methods';
import { assertShares } from './payment-shares';

export type NewIntent = {
  amount: number;
  currency: string;
  customer?: string | null;
  description?: string | null;
  receiptEmail?: string | null;
  metadata?: Record<string, string>;
  setupFutureUsage?: 'off_session' | 'on_session' | null;
  fee?: number | null;
  destination?: { account: string; amount: number | null } | null;
  transferGroup?: string | null;
  suffix?: string | null;
};

export function newIntent(work: Work, input: NewIntent): Stripe.PaymentIntent {
  assertAmount(input.amount, input.currency, { fee: input.fee, share: input.destination?.amount });
  const id = newId('pi');
  const intent: Stripe.PaymentIntent = {
    ...NULL_FIELDS.paymentIntent,
    ...commonFields(),
    id,
    amount: input.amount,
    application_fee_amount: input.fee ?? null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: work.now(),
    currency: input.currency,
    customer: input.customer ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    receipt_email: input.receiptEmail ?? null,
    setup_future_usage: input.setupFutureUsage ?? null,
    statement_descriptor_suffix: input.suffix ?? null,
    transfer_group: input.transferGroup ?? null,
    transfer_data: transferDataOf(input.destination ?? null),
  };
  return work.add(intent, {}, 'payment_intent.created');
}

const transferDataOf = (to: NewIntent['destination']) =>
  to ? { destination: to.account, ...(to.amount !== null && { amount: to.amount }) } : null;

/** Fields with the same initial value in every payment intent. */
const commonFields = () => ({
  object: 'payment_intent' as const,
  amount_capturable: 0,
  amount_received: 0,
  capture_method: 'automatic_async' as const,
  confirmation_method: 'automatic' as const,
  livemode: false,
  payment_method_options: {
    card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' as const },
  },
  payment_method_types: ['card'],
  status: 'requires_payment_method' as const,
});

function assertAmount(
  amount: number,
  currency: string,
  { fee, share }: { fee?: number | null; share?: number | null },
): void {
  const least = MIN_AMOUNTS[currency] ?? 0;
  if (amount < least)
    throw invalidRequest(`Amount must be at least ${(least / 100).toFixed(2)} ${currency}.`, {
      code: 'amount_too_small',
      param: 'amount',
    });
  if (share && share > amount)
    throw invalidRequest('The transfer cannot be greater than the amount.', { param: 'transfer_data[amount]' });
  if (fee && fee > amount)
    throw invalidRequest('The application fee cannot be greater than the amount.', { param: 'application_fee_amount' });
}

/** The amount may change after a declined attempt, when the customer adds a promotion code. */
export function updateAmount(work: Work, intent: Stripe.PaymentIntent, amount: number): void {
  if (intent.amount === amount) return;
  assertAmount(amount, intent.currency, { fee: intent.application_fee_amount, share: intent.transfer_data?.amount });
  intent.amount = amount;
  work.emitUpdate(intent);
}

const REASONS = oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer');

export const paymentIntentRoutes: Route[] = [
  route(
    'POST',
    '/v1/payment_intents',
    {
      ...CONFIRM,
      amount: required(integer(0, 99_999_999)),
      currency: required(currency()),
      customer: text(),
      confirm: flag(),
      description: text(),
      metadata: metadata(),
      receipt_email: text(),
      setup_future_usage: oneOf('off_session', 'on_session'),
      automatic_payment_methods: group({ enabled: required(flag()), allow_redirects: oneOf('always', 'never') }),
      allowed_payment_method_types: arrayOf(oneOf('card')),
      application_fee_amount: integer(0),
      transfer_data: group({ destination: required(text()), amount: integer(0) }),
      transfer_group: text(),
      statement_descriptor_suffix: statementSuffix(),
    },
    async (work, input) => {
      if (input.customer) await findCustomer(work, input.customer);
      await assertShares(work, input, '');
      const intent = newIntent(work, {
        amount: input.amount,
        currency: input.currency,
        customer: input.customer,
        description: input.description,
        receiptEmail: input.receipt_email,
        metadata: mergeMetadata({}, input.metadata),
        setupFutureUsage: input.setup_future_usage,
        fee: input.application_fee_amount,
        destination: input.transfer_data && {
          account: input.transfer_data.destination,
          amount: input.transfer_data.amount ?? null,
        },
        transferGroup: input.transfer_group,
        suffix: input.statement_descriptor_suffix,
      });
      const { automatic_payment_methods: automatic } = input;
      if (automatic) intent.automatic_payment_methods = { allow_redirects: 'always', ...automatic };
      intent.allowed_payment_method_types = input.allowed_payment_method_types ?? null;
      if (input.confirm) return confirmIntent(work, intent, input.payment_method, attemptOf(input));
      assertNotConfirming(input);
      if (input.payment_method) {
        intent.payment_method = (await resolveMethod(work, input.payment_method)).id;
        intent.status = 'requires_confirmation';
      }
      return intent;
    },
  ),
  retrieveRoute('/v1/payment_intents', 'payment_intent'),
  route(
    'POST',
    '/v1/payment_intents/:id',
    { description: text(), metadata: metadata(), receipt_email: text() },
    async (work, input, { id = '' }) => {
      const intent = await work.find('payment_intent', id);
      if (input.description !== undefined) intent.description = input.description;
      if (input.receipt_email !== undefined) intent.receipt_email = input.receipt_email;
      intent.metadata = mergeMetadata(intent.metadata, input.metadata);
      return intent;
    },
  ),
  route('POST', '/v1/payment_intents/:id/confirm', CONFIRM, async (work, input, { id = '' }) => {
    const intent = await work.find('payment_intent', id);
    await useCustomerClock(work, intent.customer ? await work.get('customer', idOf(intent.customer)) : null);
    return confirmIntent(work, intent, input.payment_method, attemptOf(input));
  }),
  route(
    'POST',
    '/v1/payment_intents/:id/cancel',
    { cancellation_reason: REASONS },
    async (work, input, { id = '' }) => {
      const intent = await work.find('payment_intent', id);
      if (['succeeded', 'canceled'].includes(intent.status))
        throw wrongState(
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
          'payment_intent_unexpected_state',
        );
      cancelIntent(work, intent, input.cancellation_reason ?? null);
      return intent;
    },
  ),
  listRoute('/v1/payment_intents', 'payment_intent', {
    filters: { customer: text() },
    criteria: ({ customer }) => ({ customer }),
  }),
];

export function cancelIntent(work: Work, intent: Stripe.PaymentIntent, reason: string | null): void {
  intent.status = 'canceled';
  intent.canceled_at = work.now();
  intent.cancellation_reason = reason as Stripe.PaymentIntent.CancellationReason | null;
  intent.next_action = null;
  work.emit('payment_intent.canceled', intent);
}
