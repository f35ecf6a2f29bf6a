import Stripe from 'stripe';
import type { AppError } from '../../errors';
import { declineReason } from './declines';
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
  if (error instanceof Stripe.errors.StripeCardError) return declined(declineReason(code, declineCode));
  if (error instanceof Stripe.errors.StripeRateLimitError) return rateLimited({ seconds: secondsToWait(error) });
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
    return unreachable();
  // an account that is not there answers as one that is not ours (403)
  if (code === 'resource_missing' || code === 'account_invalid') return paymentsNotFound();
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return notSetUp();
  if (error instanceof Stripe.errors.StripeIdempotencyError) return paymentsConflict();
  if (code === 'coupon_expired') return couponNotRedeemable();
  if (CONFLICTS.has(code)) return paymentsConflict();
  return refused({ detail: error.message.slice(0, 200) });
}

/** `context` chooses the sentence; the bank's suspicion is not told to who holds the card ("Decline codes"). */
const declined = (reason: DeclineReason) => cardDeclined({ reason, context: reason });

function secondsToWait({ headers }: Stripe.errors.StripeError): number {
  const said = Number(headers?.['retry-after']);
  return Number.isFinite(said) && said > 0 ? Math.ceil(said) : 1;
}
