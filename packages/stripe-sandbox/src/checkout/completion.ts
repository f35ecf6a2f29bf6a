import type Stripe from 'stripe';
import { redeemCoupons } from '../billing/discounts';
import { startSubscription } from '../billing/subscription-start';
import type { Work } from '../engine/account-work';
import { type Decline, findDecline, needsAuthentication } from '../money/charges';
import { findCustomer, newCustomer } from '../money/customers';
import { attemptIntent } from '../money/payment-attempts';
import { newIntent, updateAmount } from '../money/payment-intents';
import { addressIn, attachMethod, cardBehaviourOf } from '../money/payment-methods';
import { attemptSetup, newSetup } from '../money/setup-intents';
import { invalidRequest } from '../wire/faults';
import { idOf } from '../wire/objects';
import { findReductions, type Order, totalsToday, trialEndOf } from './orders';
import { invoicePurchase } from './purchase-invoice';
import { markRedisplay } from './saved-cards';

type Session = Stripe.Checkout.Session;
export type Payer = {
  email: string | null;
  name: string | null;
  /** The country of the billing address. */
  country?: string | null;
  method: Stripe.PaymentMethod | null;
  promotionCode?: string | null;
  authenticated?: boolean;
};
export type Completion = { result: 'complete' } | { result: 'authenticate' } | { result: 'declined'; decline: Decline };
/** A session that is being paid: its order and its buyer. */
type Fulfillment = { session: Session; order: Order; customer: Stripe.Customer | null; payer: Payer };

/** Completes a session after the customer submits the page, or reports why it cannot. */
export async function completeSession(work: Work, session: Session, payer: Payer): Promise<Completion> {
  const order = work.hidden(session).order as Order;
  if (session.customer) await findCustomer(work, idOf(session.customer));
  if (session.status !== 'open' || session.expires_at <= work.now())
    throw invalidRequest('This Checkout Session is no longer open.');
  if (payer.promotionCode) await applyCode(work, session, payer.promotionCode);
  const { method } = payer;
  if (method && !payer.authenticated && needsAuthentication(work, method, false)) {
    order.pendingCard = method.id;
    session.customer_details = customerDetailsOf(payer);
    return { result: 'authenticate' };
  }
  const decline = method ? findEarlyDecline(work, session, method) : null;
  if (decline) return { result: 'declined', decline };
  session.customer_details = customerDetailsOf(payer);
  const customer = await resolveCustomer(work, session, payer);
  const fulfillmentDecline = await fulfill(work, { session, order, customer, payer });
  if (fulfillmentDecline) return { result: 'declined', decline: fulfillmentDecline };
  session.status = 'complete';
  session.url = null;
  work.emit('checkout.session.completed', session);
  return { result: 'complete' };
}

async function applyCode(work: Work, session: Session, code: string): Promise<void> {
  const order = work.hidden(session).order as Order;
  order.discounts = [{ promotion_code: code }];
  const reductions = await findReductions(work, order.discounts, session.currency ?? '');
  const { total, discount } = await totalsToday(work, order, reductions);
  session.amount_total = total;
  session.total_details = { amount_discount: discount, amount_shipping: 0, amount_tax: 0 };
  session.discounts = [{ coupon: null, promotion_code: code }];
}

/** In `subscription` and `setup` mode, a card that will be declined creates nothing. */
function findEarlyDecline(work: Work, session: Session, method: Stripe.PaymentMethod): Decline | null {
  if (session.mode === 'payment') return null;
  const known = method.customer !== null || cardBehaviourOf(work, method)?.declinesAfterAttaching;
  const charges = session.mode === 'subscription' && (session.amount_total ?? 0) > 0;
  return known && !charges ? null : findDecline(work, method, false);
}

async function fulfill(work: Work, fulfillment: Fulfillment): Promise<Decline | null> {
  if (fulfillment.session.mode === 'payment') return payForPurchase(work, fulfillment);
  if (fulfillment.session.mode === 'setup') await saveCard(work, fulfillment);
  else await createSubscription(work, fulfillment);
  return null;
}

async function saveCard(work: Work, { session, order, customer, payer }: Fulfillment): Promise<void> {
  const setup = newSetup(work, customer?.id ?? null, order.setup.metadata);
  setup.description = order.setup.description;
  work.hidden(setup).authenticated = payer.authenticated ?? false;
  session.setup_intent = setup.id;
  if (!payer.method) return;
  if (customer) markRedisplay(payer.method, 'always');
  await attemptSetup(work, setup, payer.method);
}

async function payForPurchase(work: Work, fulfillment: Fulfillment): Promise<Decline | null> {
  const { session, order, customer, payer } = fulfillment;
  const total = session.amount_total ?? 0;
  let intent: Stripe.PaymentIntent | null = null;
  if (total === 0) session.payment_status = 'no_payment_required';
  else {
    if (!payer.method) throw invalidRequest('A card is required.');
    intent = await findOrCreateIntent(work, fulfillment, total);
    session.payment_intent = intent.id;
    updateAmount(work, intent, total);
    work.hidden(intent).authenticated = payer.authenticated ?? false;
    if (customer && order.payment.futureUsage) markRedisplay(payer.method, 'limited');
    const { decline } = await attemptIntent(work, intent, payer.method, { offSession: false });
    if (decline) return decline;
    session.payment_status = 'paid';
  }
  const discounts = await redeemDiscounts(work, fulfillment);
  if (session.invoice_creation?.enabled && customer)
    await invoicePurchase(work, { session, order, customer, intent, discounts });
  return null;
}

/** Reuses the payment intent of an earlier declined attempt. */
async function findOrCreateIntent(
  work: Work,
  { session, order, customer }: Fulfillment,
  amount: number,
): Promise<Stripe.PaymentIntent> {
  if (session.payment_intent) return work.find('payment_intent', idOf(session.payment_intent));
  const { description, receiptEmail, suffix, metadata, futureUsage, fee, destination } = order.payment;
  return newIntent(work, {
    amount,
    currency: session.currency ?? 'eur',
    customer: customer?.id,
    description,
    receiptEmail: receiptEmail ?? session.customer_details?.email,
    suffix,
    metadata,
    setupFutureUsage: futureUsage,
    fee,
    destination,
  });
}

async function redeemDiscounts(work: Work, { session, order, customer }: Fulfillment): Promise<Stripe.Discount[]> {
  const target = { customer: customer?.id ?? '', session: session.id, currency: session.currency ?? 'eur' };
  return redeemCoupons(work, order.discounts, target);
}

async function createSubscription(work: Work, { session, order, customer, payer }: Fulfillment): Promise<void> {
  const [line] = order.lines;
  if (!line || !customer) throw invalidRequest('This session has no subscription.');
  const { method } = payer;
  if (method) {
    markRedisplay(method, 'limited');
    attachMethod(work, method, customer);
    work.hidden(method).setUp = true;
  }
  const { trialDays: _, ...terms } = order.subscription;
  const subscription = await startSubscription(work, {
    ...terms,
    customer,
    price: await work.find('price', line.price),
    quantity: line.quantity,
    discounts: order.discounts,
    trialEnd: trialEndOf(order, work.now()),
    method: method?.id ?? null,
    behaviour: 'error_if_incomplete',
    offSession: false,
    authenticated: payer.authenticated ?? false,
    session: session.id,
  });
  session.subscription = subscription.id;
  session.invoice = idOf(subscription.latest_invoice);
  session.payment_status = (session.amount_total ?? 0) > 0 ? 'paid' : 'no_payment_required';
}

function customerDetailsOf({ email, name, country }: Payer): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: country ? addressIn(country) : null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

async function resolveCustomer(work: Work, session: Session, { email, name }: Payer): Promise<Stripe.Customer | null> {
  if (session.customer) return work.find('customer', idOf(session.customer));
  if (!(work.hidden(session).order as Order).createsCustomer) return null;
  const locales = session.locale && session.locale !== 'auto' ? [session.locale] : [];
  const customer = newCustomer(work, { email, name, preferred_locales: locales });
  work.emit('customer.created', customer);
  session.customer = customer.id;
  return customer;
}

export async function expireSession(work: Work, session: Session): Promise<void> {
  session.status = 'expired';
  session.url = null;
  work.emit('checkout.session.expired', session);
}
