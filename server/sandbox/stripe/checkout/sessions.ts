import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import { DISCOUNTS } from '../billing/discounts';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { findAccount } from '../money/accounts';
import { findCustomer } from '../money/customers';
import { missingParameter, refused } from '../wire/faults';
import { randomText } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import {
  anything,
  decimal,
  flag,
  group,
  type Input,
  mergedMetadata,
  metadata,
  needed,
  one,
  type Shape,
  text,
  time,
  whole,
} from '../wire/shapes';
import { expireSession } from './completion';
import { LINES, lineItemsOf, type Order, orderLines, promised, totalsOf, trialEndOf } from './orders';

const DESTINATION = group({ destination: needed(text()), amount: whole(0), amount_percent: decimal(0, 100) });

const CREATE = {
  mode: needed(one('payment', 'subscription', 'setup')),
  line_items: LINES,
  customer: text(),
  customer_email: text(),
  customer_creation: one('always', 'if_required'),
  success_url: text(),
  cancel_url: text(),
  return_url: text(),
  client_reference_id: text(200),
  metadata: metadata(),
  locale: text(),
  currency: text(3),
  discounts: DISCOUNTS,
  allow_promotion_codes: flag(),
  submit_type: one('auto', 'book', 'donate', 'pay', 'subscribe'),
  expires_at: time(),
  allowed_payment_method_types: anything(),
  payment_method_collection: one('always', 'if_required'),
  billing_address_collection: text(),
  payment_method_options: anything(),
  saved_payment_method_options: anything(),
  custom_text: anything(),
  payment_intent_data: group({
    description: text(),
    metadata: metadata(),
    receipt_email: text(),
    setup_future_usage: text(),
    application_fee_amount: whole(0),
    transfer_data: DESTINATION,
    on_behalf_of: text(),
  }),
  subscription_data: group({
    trial_period_days: whole(1, 730),
    trial_end: time(),
    metadata: metadata(),
    description: text(500),
    application_fee_percent: decimal(0, 100),
    transfer_data: DESTINATION,
    trial_settings: group({
      end_behavior: group({ missing_payment_method: needed(one('cancel', 'pause', 'create_invoice')) }),
    }),
  }),
  setup_intent_data: group({ metadata: metadata(), description: text() }),
} satisfies Shape;
type Asked = Input<typeof CREATE>;

async function orderOf(work: Work, asked: Asked, lines: Order['lines']): Promise<Order> {
  const { payment_intent_data: payment, subscription_data: subscription } = asked;
  const destination = payment?.transfer_data ?? subscription?.transfer_data;
  if (destination) await findAccount(work, destination.destination, 'payment_intent_data[transfer_data][destination]');
  return {
    lines,
    discounts: asked.discounts ?? [],
    payment: paymentPartOf(payment),
    subscription: {
      trialDays: subscription?.trial_period_days ?? null,
      trialEnd: subscription?.trial_end ?? null,
      metadata: mergedMetadata({}, subscription?.metadata),
      description: subscription?.description ?? null,
      feePercent: subscription?.application_fee_percent ?? null,
      destination: subscription?.transfer_data?.destination ?? null,
      onMissingCard: subscription?.trial_settings?.end_behavior?.missing_payment_method,
    },
    setupMetadata: mergedMetadata({}, asked.setup_intent_data?.metadata),
    createsCustomer: asked.customer_creation === 'always' || asked.mode !== 'payment',
  };
}

const paymentPartOf = (payment: Asked['payment_intent_data']): Order['payment'] => ({
  description: payment?.description ?? null,
  metadata: mergedMetadata({}, payment?.metadata),
  receiptEmail: payment?.receipt_email ?? null,
  savesCard: payment?.setup_future_usage === 'off_session',
  fee: payment?.application_fee_amount ?? null,
  destination: payment?.transfer_data
    ? { account: payment.transfer_data.destination, amount: payment.transfer_data.amount ?? null }
    : null,
});

function refuseContradictions(asked: Asked): void {
  if (!asked.success_url) throw missingParameter('success_url');
  if (asked.customer && asked.customer_email)
    throw refused('You may only specify one of these parameters: customer, customer_email.', { param: 'customer' });
  if (asked.mode === 'setup' && asked.line_items)
    throw refused('You can not pass `line_items` in `setup` mode.', { param: 'line_items' });
  if (asked.mode !== 'subscription' && asked.subscription_data)
    throw refused('You can not pass `subscription_data` unless in `subscription` mode.', {
      param: 'subscription_data',
    });
  if (asked.mode !== 'payment' && asked.payment_intent_data)
    throw refused('You can not pass `payment_intent_data` unless in `payment` mode.', { param: 'payment_intent_data' });
  if (asked.discounts?.length && asked.allow_promotion_codes)
    throw refused('You may only specify one of these parameters: allow_promotion_codes, discounts.', {
      param: 'discounts',
    });
  if (asked.mode === 'setup' && !asked.currency && !asked.allowed_payment_method_types)
    throw missingParameter('currency');
}

async function create(work: Work, asked: Asked): Promise<Stripe.Checkout.Session> {
  refuseContradictions(asked);
  const customer = asked.customer ? await findCustomer(work, asked.customer) : null;
  const isSetup = asked.mode === 'setup';
  const bought = isSetup ? { lines: [], prices: [] } : await orderLines(work, asked.line_items ?? [], asked.mode);
  const currency = bought.prices[0]?.currency ?? asked.currency ?? null;
  if (bought.prices.some((price) => price.currency !== currency))
    throw refused('All prices must have the same currency.', { param: 'line_items' });
  const order = await orderOf(work, asked, bought.lines);
  const reductions = await promised(work, order.discounts, currency ?? '');
  const totals = totalsOf(bought, reductions, trialEndOf(order, work.now()) !== null);
  const session = blankSession(work, asked, currency);
  if (!isSetup) {
    session.amount_subtotal = totals.subtotal;
    session.amount_total = totals.total;
    session.total_details = { amount_discount: totals.discount, amount_shipping: 0, amount_tax: 0 };
  }
  session.customer = customer?.id ?? null;
  session.discounts = order.discounts.map(({ coupon = null, promotion_code = null }) => ({ coupon, promotion_code }));
  return work.add(session, { order, ...(customer?.test_clock && { clock: String(customer.test_clock) }) });
}

function expiryOf(work: Work, asked: number | undefined): number {
  const expires = asked ?? work.now() + DAY;
  if (expires < work.now() + 1800 || expires > work.now() + DAY + 60)
    throw refused(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  return expires;
}

function blankSession(work: Work, asked: Asked, currency: string | null): Stripe.Checkout.Session {
  const id = `cs_test_${randomText(58)}`;
  const { mode } = asked;
  return {
    ...BLANK.session,
    ...usual(),
    id,
    allow_promotion_codes: asked.allow_promotion_codes ?? null,
    cancel_url: asked.cancel_url ?? null,
    client_reference_id: asked.client_reference_id ?? null,
    created: work.now(),
    currency,
    customer_creation: mode === 'payment' ? (asked.customer_creation ?? 'if_required') : null,
    customer_email: asked.customer_email ?? null,
    expires_at: expiryOf(work, asked.expires_at),
    invoice_creation: mode === 'payment' ? noInvoice() : null,
    locale: (asked.locale ?? null) as Stripe.Checkout.Session.Locale | null,
    metadata: mergedMetadata({}, asked.metadata),
    mode,
    payment_method_collection: mode === 'subscription' ? (asked.payment_method_collection ?? 'always') : null,
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    submit_type: asked.submit_type ?? null,
    success_url: asked.success_url ?? null,
    url: `${work.pages}/pay/${id}`,
  };
}

/** What is the same for all sessions here. */
const usual = () => ({
  object: 'checkout.session' as const,
  adaptive_pricing: { enabled: false },
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  livemode: false,
  payment_method_options: { card: { request_three_d_secure: 'automatic' as const } },
  payment_method_types: ['card'],
  shipping_options: [],
  status: 'open' as const,
  ui_mode: 'hosted_page' as const,
});

const noInvoice = (): Stripe.Checkout.Session.InvoiceCreation => ({
  enabled: false,
  invoice_data: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: null,
    metadata: {},
    rendering_options: null,
  },
});

const PATH = '/v1/checkout/sessions';

export const checkoutSessionRoutes: Route[] = [
  route('POST', PATH, CREATE, create),
  retrieveRoute(PATH, 'checkout.session'),
  route('POST', `${PATH}/:id`, { metadata: metadata() }, async (work, input, { id = '' }) => {
    const session = await work.find('checkout.session', id);
    session.metadata = mergedMetadata(session.metadata, input.metadata);
    return session;
  }),
  route('POST', `${PATH}/:id/expire`, {}, async (work, _, { id = '' }) => {
    const session = await work.find('checkout.session', id);
    if (session.status !== 'open')
      throw refused(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    await expireSession(work, session);
    return session;
  }),
  route('GET', `${PATH}/:id/line_items`, { limit: whole(1, 100) }, (work, _, { id = '' }) => lineItemsOf(work, id)),
  listRoute(PATH, 'checkout.session', {
    filters: { customer: text(), status: text(), payment_intent: text(), subscription: text() },
    criteria: ({ customer, status, payment_intent, subscription }) => ({
      customer,
      parent: payment_intent,
      fields: { ...(status && { status }), ...(subscription && { subscription }) },
    }),
  }),
];
