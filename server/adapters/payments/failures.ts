import Stripe from 'stripe';
import type { AppError } from '../../base/errors';
import { declineReason } from './declines';
import {
  authenticationRequired,
  cardDeclined,
  couponNotRedeemable,
  notSetUp,
  paymentsConflict,
  paymentsNotFound,
  rateLimited,
  rejected,
  unreachable,
} from './errors';
import type { DeclineReason } from './objects';

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

/** Maps Stripe's errors to ours. The original is kept as the cause, for the log. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  return Object.assign(mapError(error), { cause: error });
}

function mapError(error: Stripe.errors.StripeError): AppError {
  const { code = '', decline_code: declineCode } = error;
  if (AUTHENTICATION.has(code) || declineCode === 'authentication_required') return authenticationRequired();
  // another call uses the same object or key: it says nothing about the object's state, and the SDK calls a 409 an outage
  if (error.statusCode === 409 || code === 'lock_timeout') return rateLimited({ seconds: retryAfter(error) });
  if (error instanceof Stripe.errors.StripeCardError) return declinedError(declineReason(code, declineCode));
  if (error instanceof Stripe.errors.StripeRateLimitError) return rateLimited({ seconds: retryAfter(error) });
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
    return unreachable();
  // for an unknown account Stripe answers 403, as for another platform's account
  if (code === 'resource_missing' || code === 'account_invalid') return paymentsNotFound();
  // OAuth errors: an unknown or used code, or an account that is not connected
  if (error.rawType === 'invalid_grant' || error.rawType === 'invalid_client') return paymentsNotFound();
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return notSetUp();
  if (code === 'coupon_expired') return couponNotRedeemable();
  if (CONFLICTS.has(code)) return paymentsConflict();
  return rejected({ detail: error.message.slice(0, 200) });
}

/** `context` selects the translation. Suspicion of fraud is not shown to the cardholder ("Decline codes"). */
const declinedError = (reason: DeclineReason) => cardDeclined({ reason, context: reason });

function retryAfter({ headers }: Stripe.errors.StripeError): number {
  const seconds = Number(headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 1;
}
