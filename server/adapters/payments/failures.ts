import Stripe from 'stripe';
import type { AppError } from '../../errors';
import {
  authenticationRequired,
  cardDeclined,
  couponNotRedeemable,
  notSetUp,
  paymentsConflict,
  paymentsNotFound,
  rateLimited,
  refused,
  unreachable,
} from './errors';
import type { DeclineReason } from './objects';

const REASONS: Record<string, DeclineReason> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  incorrect_number: 'incorrect_number',
  invalid_number: 'incorrect_number',
  processing_error: 'processing_error',
  lost_card: 'lost_or_stolen',
  stolen_card: 'lost_or_stolen',
  pickup_card: 'lost_or_stolen',
  fraudulent: 'fraudulent',
  card_velocity_exceeded: 'limit_exceeded',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
  authentication_required: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
};

const AUTHENTICATION = new Set([
  'authentication_required',
  'subscription_payment_intent_requires_action',
  'invoice_payment_intent_requires_action',
]);
const CONFLICTS = new Set([
  'charge_already_refunded',
  'charge_disputed',
  'amount_too_large',
  'balance_insufficient',
  'invoice_already_paid',
  'invoice_not_editable',
  'invoice_upcoming_none',
  'payment_intent_unexpected_state',
  'payment_method_unexpected_state',
  'payment_method_not_attached',
  'resource_already_exists',
  'setup_intent_unexpected_state',
  'dispute_not_answerable',
]);

export function declineReason(code: string | undefined | null, declineCode?: string | null): DeclineReason {
  return REASONS[declineCode ?? ''] ?? REASONS[code ?? ''] ?? 'declined';
}

/** Stripe's failures in our words; the original stays as the cause, for the log. */
export function ourError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return Object.assign(translated(error), { cause: error });
}

function translated(error: Stripe.errors.StripeError): AppError {
  const { code = '', decline_code: declineCode } = error;
  if (AUTHENTICATION.has(code) || declineCode === 'authentication_required') return authenticationRequired();
  // the SDK files a 409 with the server's own failures, and an object that is locked (429) with too many calls
  if (error.statusCode === 409 || code === 'lock_timeout') return paymentsConflict();
  if (error instanceof Stripe.errors.StripeCardError) return cardDeclined({ reason: declineReason(code, declineCode) });
  if (error instanceof Stripe.errors.StripeRateLimitError) return rateLimited();
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
    return unreachable();
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return notSetUp();
  if (error instanceof Stripe.errors.StripeIdempotencyError) return paymentsConflict();
  if (code === 'coupon_expired') return couponNotRedeemable();
  if (code === 'resource_missing' || code === 'account_invalid') return paymentsNotFound();
  if (CONFLICTS.has(code)) return paymentsConflict();
  return refused({ detail: error.message.slice(0, 200) });
}

/** Runs a call and says its failures in our words. */
export async function spoken<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw ourError(error);
  }
}
