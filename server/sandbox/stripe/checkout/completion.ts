import type Stripe from 'stripe';
import { redeem } from '../billing/discounts';
import { subscribe } from '../billing/subscription-start';
import type { Work } from '../engine/account-work';
import { type Decline, needsAuthentication, refusalOf } from '../money/charges';
import { findCustomer, newCustomer } from '../money/customers';
import { attemptIntent, changeAmount, newIntent } from '../money/payment-intents';
import { attach, behaviourOf } from '../money/payment-methods';
import { attemptSetup, newSetup } from '../money/setup-intents';
import { refused } from '../wire/faults';
import { idOf } from '../wire/objects';
import { type Order, promised, totalsToday, trialEndOf } from './orders';

type Session = Stripe.Checkout.Session;
export type Payer = {
  email: string | null;
  name: string | null;
  method: Stripe.PaymentMethod | null;
  promotionCode?: string | null;
  authenticated?: boolean;
};
export type Completion = { result: 'complete' } | { result: 'authenticate' } | { result: 'declined'; decline: Decline };
/** A session that is being settled: what was ordered, and by whom. */
type Sale = { session: Session; order: Order; customer: Stripe.Customer | null; payer: Payer };

/** The customer has pressed the button: pay what the session is for, or say why not. */
export async function complete(work: Work, session: Session, payer: Payer): Promise<Completion> {
  if (session.status !== 'open') throw refused('This Checkout Session is no longer open.');
  const order = work.hidden(session).order as Order;
  if (session.customer) await findCustomer(work, idOf(session.customer));
  if (payer.promotionCode) await useCode(work, session, payer.promotionCode);
  const { method } = payer;
  if (method && !payer.authenticated && needsAuthentication(work, method, false)) {
    order.pendingCard = method.id;
    session.customer_details = detailsOf(payer);
    return { result: 'authenticate' };
  }
  const decline = method ? earlyRefusal(work, session, method) : null;
  if (decline) return { result: 'declined', decline };
  session.customer_details = detailsOf(payer);
  const customer = await customerFor(work, session, payer);
  const failed = await fulfil(work, { session, order, customer, payer });
  if (failed) return { result: 'declined', decline: failed };
  session.status = 'complete';
  session.url = null;
  work.emit('checkout.session.completed', session);
  return { result: 'complete' };
}

async function useCode(work: Work, session: Session, code: string): Promise<void> {
  const order = work.hidden(session).order as Order;
  order.discounts = [{ promotion_code: code }];
  const reductions = await promised(work, order.discounts, session.currency ?? '');
  const { total, discount } = await totalsToday(work, order, reductions);
  session.amount_total = total;
  session.total_details = { amount_discount: discount, amount_shipping: 0, amount_tax: 0 };
  session.discounts = [{ coupon: null, promotion_code: code }];
}

/** In `subscription` and `setup` mode nothing is made for a card that will be refused. */
function earlyRefusal(work: Work, session: Session, method: Stripe.PaymentMethod): Decline | null {
  if (session.mode === 'payment') return null;
  const known = method.customer !== null || behaviourOf(work, method)?.attachesFirst;
  const charges = session.mode === 'subscription' && (session.amount_total ?? 0) > 0;
  return known && !charges ? null : refusalOf(work, method, false);
}

async function fulfil(work: Work, sale: Sale): Promise<Decline | null> {
  if (sale.session.mode === 'payment') return payOnce(work, sale);
  if (sale.session.mode === 'setup') await keepCard(work, sale);
  else await beginSubscription(work, sale);
  return null;
}

async function keepCard(work: Work, { session, order, customer, payer }: Sale): Promise<void> {
  const setup = newSetup(work, customer?.id ?? null, order.setupMetadata);
  work.hidden(setup).authenticated = payer.authenticated ?? false;
  session.setup_intent = setup.id;
  if (payer.method) await attemptSetup(work, setup, payer.method);
}

async function payOnce(work: Work, sale: Sale): Promise<Decline | null> {
  const { session, payer } = sale;
  const total = session.amount_total ?? 0;
  if (total === 0) session.payment_status = 'no_payment_required';
  else {
    if (!payer.method) throw refused('A card is needed.');
    const intent = await intentOf(work, sale, total);
    session.payment_intent = intent.id;
    changeAmount(work, intent, total);
    work.hidden(intent).authenticated = payer.authenticated ?? false;
    const { decline } = await attemptIntent(work, intent, payer.method, { offSession: false });
    if (decline) return decline;
    session.payment_status = 'paid';
  }
  await redeemOrdered(work, sale);
  return null;
}

/** The session's payment: a card that was refused before has left one. */
async function intentOf(work: Work, { session, order, customer }: Sale, amount: number): Promise<Stripe.PaymentIntent> {
  if (session.payment_intent) return work.find('payment_intent', idOf(session.payment_intent));
  const { description, receiptEmail, metadata, savesCard, fee, destination } = order.payment;
  return newIntent(work, {
    amount,
    currency: session.currency ?? 'eur',
    customer: customer?.id,
    description,
    receiptEmail: receiptEmail ?? session.customer_details?.email,
    metadata,
    setupFutureUsage: savesCard ? 'off_session' : null,
    fee,
    destination,
  });
}

async function redeemOrdered(work: Work, { session, order, customer }: Sale): Promise<void> {
  const target = { customer: customer?.id ?? '', session: session.id, currency: session.currency ?? 'eur' };
  await redeem(work, order.discounts, target);
}

async function beginSubscription(work: Work, { session, order, customer, payer }: Sale): Promise<void> {
  const [line] = order.lines;
  if (!line || !customer) throw refused('This session has nothing to subscribe to.');
  const { method } = payer;
  if (method) {
    attach(work, method, customer);
    work.hidden(method).setUp = true;
  }
  const { trialDays: _, ...said } = order.subscription;
  const subscription = await subscribe(work, {
    ...said,
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

function detailsOf({ email, name }: Payer): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

async function customerFor(work: Work, session: Session, { email, name }: Payer): Promise<Stripe.Customer | null> {
  if (session.customer) return work.find('customer', idOf(session.customer));
  if (!(work.hidden(session).order as Order).createsCustomer) return null;
  const spoken = session.locale && session.locale !== 'auto' ? [session.locale] : [];
  const customer = newCustomer(work, { email, name, preferred_locales: spoken });
  work.emit('customer.created', customer);
  session.customer = customer.id;
  return customer;
}

export async function expireSession(work: Work, session: Session): Promise<void> {
  session.status = 'expired';
  session.url = null;
  work.emit('checkout.session.expired', session);
}
