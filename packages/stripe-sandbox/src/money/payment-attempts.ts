import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { idOf } from '../wire/objects';
import { type Decline, findDecline, makeCharge, needsAuthentication } from './charges';
import { attachMethod, declineFault } from './payment-methods';

export type Attempt = {
  offSession: boolean;
  returnUrl?: string | null;
  /** Fails instead of waiting for the customer's authentication. */
  failsOnAction?: boolean;
};
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
