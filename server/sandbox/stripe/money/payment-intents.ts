import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route, textList } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest, wrongState } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { anyValue, flag, group, integer, mergeMetadata, metadata, required, type Shape, text } from '../wire/shapes';
import { findAccount } from './accounts';
import { type Decline, findDecline, makeCharge, needsAuthentication } from './charges';
import { findCustomer, useCustomerClock } from './customers';
import { attachMethod, declineFault, resolveMethod } from './payment-methods';

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
};

/** Stripe's minimum for a card payment ("Minimum and maximum charge amounts"). */
const MIN_AMOUNT = 50;

export function newIntent(work: Work, input: NewIntent): Stripe.PaymentIntent {
  assertAmount(input.amount, input.currency, input.fee ?? 0);
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

function assertAmount(amount: number, currency: string, fee: number): void {
  if (amount < MIN_AMOUNT)
    throw invalidRequest(`Amount must be at least 0.50 ${currency}.`, { code: 'amount_too_small', param: 'amount' });
  if (fee > amount)
    throw invalidRequest('The application fee cannot be greater than the amount.', { param: 'application_fee_amount' });
}

/** The amount may change after a declined attempt, when the customer adds a promotion code. */
export function updateAmount(work: Work, intent: Stripe.PaymentIntent, amount: number): void {
  if (intent.amount === amount) return;
  assertAmount(amount, intent.currency, intent.application_fee_amount ?? 0);
  intent.amount = amount;
  work.emitUpdate(intent);
}

export type Attempt = { offSession: boolean; returnUrl?: string | null };
export type Outcome = { decline: Decline | null };

/** Tries a card. Sets the intent's status to succeeded, requires_action or requires_payment_method. */
export async function attemptIntent(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { offSession, returnUrl }: Attempt,
): Promise<Outcome> {
  intent.payment_method = method.id;
  const decline = findDecline(work, method, offSession);
  const isAuthenticated = work.hidden(intent).authenticated === true;
  if (!isAuthenticated && needsAuthentication(work, method, offSession)) {
    intent.status = 'requires_action';
    const url = `${work.pages}/authenticate/${intent.id}?account=${work.account}`;
    intent.next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl ?? null, url } };
    work.emit('payment_intent.requires_action', intent);
    return { decline: null };
  }
  const charge = await makeCharge(work, intent, { method, decline });
  intent.latest_charge = charge.id;
  intent.next_action = null;
  if (decline) failIntent(work, intent, decline, charge.id);
  else await succeed(work, intent, method);
  return { decline };
}

async function succeed(work: Work, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Promise<void> {
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.last_payment_error = null;
  const customer = intent.customer === null ? null : await work.get('customer', idOf(intent.customer));
  if (intent.setup_future_usage && customer && method.customer === null) attachMethod(work, method, customer);
  if (intent.setup_future_usage === 'off_session') work.hidden(method).setUp = true;
  work.emit('payment_intent.succeeded', intent);
}

/** Makes the intent wait for another card, and records why the last one failed. */
export function failIntent(work: Work, intent: Stripe.PaymentIntent, decline: Decline, charge?: string): void {
  const { body } = declineFault(decline);
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.last_payment_error = { ...body, ...(charge && { charge }) } as Stripe.PaymentIntent.LastPaymentError;
  intent.payment_method = null;
  work.emit('payment_intent.payment_failed', intent);
}

async function confirmIntent(work: Work, intent: Stripe.PaymentIntent, methodId: string | undefined, attempt: Attempt) {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status))
    throw wrongState(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
      'payment_intent_unexpected_state',
    );
  const id = methodId ?? idOf(intent.payment_method);
  if (!id)
    throw wrongState(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_intent_unexpected_state',
    );
  const method = await resolveMethod(work, id);
  assertOwnCard(intent, method);
  if (attempt.offSession && needsAuthentication(work, method, true)) {
    const decline = { code: 'authentication_required', declineCode: 'authentication_required' };
    failIntent(work, intent, decline);
    throw declineFault(decline, { payment_intent: intent, payment_method: method });
  }
  const { decline } = await attemptIntent(work, intent, method, attempt);
  if (decline)
    throw declineFault(decline, {
      payment_intent: intent,
      payment_method: method,
      charge: idOf(intent.latest_charge),
    });
  return intent;
}

function assertOwnCard(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
  if (method.customer !== null && idOf(method.customer) !== idOf(intent.customer))
    throw invalidRequest(
      'The provided PaymentMethod belongs to another Customer. Supply the customer with the PaymentIntent.',
      {
        param: 'payment_method',
      },
    );
}

const CONFIRM = {
  payment_method: text(),
  off_session: flag(),
  return_url: text(),
  error_on_requires_action: flag(),
  mandate_data: anyValue(),
} satisfies Shape;

export const paymentIntentRoutes: Route[] = [
  route(
    'POST',
    '/v1/payment_intents',
    {
      ...CONFIRM,
      amount: required(integer(0, 99_999_999)),
      currency: required(text(3)),
      customer: text(),
      confirm: flag(),
      description: text(),
      metadata: metadata(),
      receipt_email: text(),
      setup_future_usage: text(),
      automatic_payment_methods: anyValue(),
      allowed_payment_method_types: textList(),
      application_fee_amount: integer(0),
      transfer_data: group({ destination: required(text()), amount: integer(0) }),
      transfer_group: text(),
      on_behalf_of: text(),
      statement_descriptor_suffix: text(22),
    },
    async (work, input) => {
      if (input.customer) await findCustomer(work, input.customer);
      if (input.transfer_data) await findAccount(work, input.transfer_data.destination, 'transfer_data[destination]');
      const intent = newIntent(work, {
        amount: input.amount,
        currency: input.currency,
        customer: input.customer,
        description: input.description,
        receiptEmail: input.receipt_email,
        metadata: mergeMetadata({}, input.metadata),
        setupFutureUsage: input.setup_future_usage as NewIntent['setupFutureUsage'],
        fee: input.application_fee_amount,
        destination: input.transfer_data && {
          account: input.transfer_data.destination,
          amount: input.transfer_data.amount ?? null,
        },
      });
      if (input.confirm)
        return confirmIntent(work, intent, input.payment_method, {
          offSession: input.off_session ?? false,
          returnUrl: input.return_url,
        });
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
      intent.metadata = mergeMetadata(intent.metadata, input.metadata);
      return intent;
    },
  ),
  route('POST', '/v1/payment_intents/:id/confirm', CONFIRM, async (work, input, { id = '' }) => {
    const intent = await work.find('payment_intent', id);
    await useCustomerClock(work, intent.customer ? await work.get('customer', idOf(intent.customer)) : null);
    return confirmIntent(work, intent, input.payment_method, {
      offSession: input.off_session ?? false,
      returnUrl: input.return_url,
    });
  }),
  route('POST', '/v1/payment_intents/:id/cancel', { cancellation_reason: text() }, async (work, input, { id = '' }) => {
    const intent = await work.find('payment_intent', id);
    if (['succeeded', 'canceled'].includes(intent.status))
      throw wrongState(
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        'payment_intent_unexpected_state',
      );
    cancelIntent(work, intent, input.cancellation_reason ?? null);
    return intent;
  }),
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
