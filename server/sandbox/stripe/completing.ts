import type Stripe from 'stripe';
import { BLANK } from './blanks';
import { type Decline, needsAuthentication, refusalOf } from './charges';
import { findCustomer } from './customers';
import { redeem } from './discounts';
import { idOf } from './kinds';
import { type Order, promised, totalsOf } from './orders';
import { attemptIntent, changeAmount, newIntent } from './payment-intents';
import { attach, behaviourOf } from './payment-methods';
import { attemptSetup, newSetup } from './setup-intents';
import { subscribe } from './subscribing';
import { refused } from './wire/faults';
import { newId, randomText } from './wire/ids';
import type { Work } from './work';

const DAY = 86_400;

export type Payer = {
  email: string | null;
  name: string | null;
  method: Stripe.PaymentMethod | null;
  promotionCode?: string | null;
  authenticated?: boolean;
};
export type Completion = { result: 'complete' } | { result: 'authenticate' } | { result: 'declined'; decline: Decline };

/** The customer has pressed the button: pay what the session is for, or say why not. */
export async function complete(work: Work, session: Stripe.Checkout.Session, payer: Payer): Promise<Completion> {
  if (session.status !== 'open') throw refused('This Checkout Session is no longer open.');
  const order = work.hidden(session).order as Order;
  if (session.customer) await findCustomer(work, idOf(session.customer));
  if (payer.promotionCode) await useCode(work, session, order, payer.promotionCode);
  const { method } = payer;
  if (method && !payer.authenticated && needsAuthentication(work, method, false)) {
    order.pendingCard = method.id;
    session.customer_details = detailsOf(payer);
    return { result: 'authenticate' };
  }
  const decline = method ? earlyRefusal(work, session, method) : null;
  if (decline) return { result: 'declined', decline };
  session.customer_details = detailsOf(payer);
  const customer = await customerFor(work, session, payer, order);
  const failed = await fulfil(work, session, order, { customer, method, authenticated: payer.authenticated ?? false });
  if (failed) return { result: 'declined', decline: failed };
  session.status = 'complete';
  session.url = null;
  work.emit('checkout.session.completed', session);
  return { result: 'complete' };
}

async function useCode(work: Work, session: Stripe.Checkout.Session, order: Order, code: string): Promise<void> {
  order.discounts = [{ promotion_code: code }];
  const prices = await Promise.all(order.lines.map((line) => work.find('price', line.price)));
  const trial = order.subscription.trialDays !== null || order.subscription.trialEnd !== null;
  const totals = totalsOf(prices, order.lines, await promised(work, order.discounts, session.currency ?? ''), trial);
  session.amount_total = totals.total;
  session.total_details = { amount_discount: totals.discount, amount_shipping: 0, amount_tax: 0 };
  session.discounts = [{ coupon: null, promotion_code: code }];
}

/** In `subscription` and `setup` mode nothing is made for a card that will be refused. */
function earlyRefusal(work: Work, session: Stripe.Checkout.Session, method: Stripe.PaymentMethod): Decline | null {
  if (session.mode === 'payment') return null;
  const known = method.customer !== null || behaviourOf(work, method)?.attachesFirst;
  const charges = session.mode === 'subscription' && (session.amount_total ?? 0) > 0;
  return known && !charges ? null : refusalOf(work, method, false);
}

type Fulfilment = { customer: Stripe.Customer | null; method: Stripe.PaymentMethod | null; authenticated: boolean };

async function fulfil(
  work: Work,
  session: Stripe.Checkout.Session,
  order: Order,
  by: Fulfilment,
): Promise<Decline | null> {
  if (session.mode === 'payment') return payOnce(work, session, order, by);
  if (session.mode === 'setup') {
    const setup = newSetup(work, by.customer?.id ?? null, order.setupMetadata);
    work.hidden(setup).authenticated = by.authenticated;
    session.setup_intent = setup.id;
    if (by.method) await attemptSetup(work, setup, by.method);
    return null;
  }
  await beginSubscription(work, session, order, by);
  return null;
}

async function payOnce(
  work: Work,
  session: Stripe.Checkout.Session,
  order: Order,
  { customer, method, authenticated }: Fulfilment,
): Promise<Decline | null> {
  const total = session.amount_total ?? 0;
  if (total === 0) {
    session.payment_status = 'no_payment_required';
    await redeemFor(work, session, order, customer);
    return null;
  }
  if (!method) throw refused('A card is needed.');
  const intent = session.payment_intent
    ? await work.find('payment_intent', idOf(session.payment_intent))
    : newIntent(work, {
        amount: total,
        currency: session.currency ?? 'eur',
        customer: customer?.id,
        description: order.payment.description,
        receiptEmail: order.payment.receiptEmail ?? session.customer_details?.email,
        metadata: order.payment.metadata,
        setupFutureUsage: order.payment.savesCard ? 'off_session' : null,
        fee: order.payment.fee,
        destination: order.payment.destination,
      });
  session.payment_intent = intent.id;
  changeAmount(work, intent, total);
  work.hidden(intent).authenticated = authenticated;
  const { decline } = await attemptIntent(work, intent, method, { offSession: false });
  if (decline) return decline;
  session.payment_status = 'paid';
  await redeemFor(work, session, order, customer);
  return null;
}

async function redeemFor(
  work: Work,
  session: Stripe.Checkout.Session,
  order: Order,
  customer: Stripe.Customer | null,
): Promise<void> {
  await redeem(work, order.discounts, {
    customer: customer?.id ?? '',
    session: session.id,
    currency: session.currency ?? 'eur',
  });
}

async function beginSubscription(
  work: Work,
  session: Stripe.Checkout.Session,
  order: Order,
  { customer, method, authenticated }: Fulfilment,
): Promise<void> {
  const [line] = order.lines;
  if (!line || !customer) throw refused('This session has nothing to subscribe to.');
  if (method) attach(work, method, customer);
  if (method) work.hidden(method).setUp = true;
  const { subscription: said } = order;
  const subscription = await subscribe(work, {
    customer,
    price: await work.find('price', line.price),
    quantity: line.quantity,
    discounts: order.discounts,
    trialEnd: said.trialEnd ?? (said.trialDays === null ? null : work.now() + said.trialDays * DAY),
    metadata: said.metadata,
    method: method?.id ?? null,
    description: said.description,
    feePercent: said.feePercent,
    destination: said.destination,
    onMissingCard: said.onMissingCard,
    behaviour: 'error_if_incomplete',
    offSession: false,
    authenticated,
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

async function customerFor(
  work: Work,
  session: Stripe.Checkout.Session,
  { email, name }: Payer,
  order: Order,
): Promise<Stripe.Customer | null> {
  if (session.customer) return work.find('customer', idOf(session.customer));
  if (!order.createsCustomer) return null;
  const customer: Stripe.Customer = {
    ...BLANK.customer,
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: work.now(),
    currency: null,
    customer_account: null,
    delinquent: false,
    email,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: session.locale && session.locale !== 'auto' ? [session.locale] : [],
    tax_exempt: 'none',
    test_clock: null,
  };
  session.customer = customer.id;
  return work.add(customer, {}, 'customer.created');
}

export async function expireSession(work: Work, session: Stripe.Checkout.Session): Promise<void> {
  session.status = 'expired';
  session.url = null;
  work.emit('checkout.session.expired', session);
}
