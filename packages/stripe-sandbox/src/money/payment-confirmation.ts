import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { invalidRequest, wrongState } from '../wire/faults';
import { idOf } from '../wire/objects';
import { flag, httpUrl, type Input, type Shape, text } from '../wire/shapes';
import { needsAuthentication } from './charges';
import { type Attempt, attemptIntent, failIntent } from './payment-attempts';
import { assertUsable, declineFault, resolveMethod } from './payment-methods';

export const CONFIRM = {
  payment_method: text(),
  off_session: flag(),
  return_url: httpUrl(),
  error_on_requires_action: flag(),
} satisfies Shape;

export const attemptOf = (input: Input<typeof CONFIRM>): Attempt => ({
  offSession: input.off_session ?? false,
  returnUrl: input.return_url,
  failsOnAction: input.error_on_requires_action,
});

/** Rejects parameters of a confirmation if there is no confirmation. */
export function assertNotConfirming(input: Input<typeof CONFIRM>): void {
  const names = ['off_session', 'return_url', 'error_on_requires_action'] as const;
  const passed = names.find((name) => input[name] !== undefined);
  if (passed)
    throw invalidRequest(
      `The parameter \`${passed}\` cannot be passed when creating a PaymentIntent unless \`confirm\` is set to true.`,
      {
        param: passed,
      },
    );
}

export async function confirmIntent(
  work: Work,
  intent: Stripe.PaymentIntent,
  methodId: string | undefined,
  attempt: Attempt,
) {
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
  assertUsable(work, method);
  assertOwnCard(intent, method);
  if ((attempt.offSession || attempt.failsOnAction) && needsAuthentication(work, method, attempt.offSession)) {
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
