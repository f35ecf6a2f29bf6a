import type Stripe from 'stripe';
import { listRoute, partsRoute, type Route, retrieveRoute, route } from '../api/route';
import { assertShare } from '../billing/subscription-share';
import { assertOwnCurrency } from '../billing/subscription-start';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { findCustomer } from '../money/customers';
import { assertShares } from '../money/payment-shares';
import { invalidRequest, missingParameter } from '../wire/faults';
import { randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { MIN_AMOUNTS, mergeMetadata, metadata, text } from '../wire/shapes';
import { expireSession } from './completion';
import { findReductions, lineItemsOf, type Order, orderLines, type PricedOrder, totalsOf, trialEndOf } from './orders';
import { CREATE, type SessionInput } from './session-parameters';

async function orderOf(work: Work, input: SessionInput, lines: Order['lines']): Promise<Order> {
  const { payment_intent_data: payment, subscription_data: subscription } = input;
  const share = {
    feePercent: subscription?.application_fee_percent ?? null,
    transfer: subscription?.transfer_data ?? null,
  };
  await assertShares(work, payment ?? {}, 'payment_intent_data');
  await assertShare(work, share, 'subscription_data');
  return {
    lines,
    discounts: input.discounts ?? [],
    payment: paymentTermsOf(payment),
    subscription: {
      trialDays: subscription?.trial_period_days ?? null,
      trialEnd: subscription?.trial_end ?? null,
      metadata: mergeMetadata({}, subscription?.metadata),
      description: subscription?.description ?? null,
      share,
      onMissingCard: subscription?.trial_settings?.end_behavior.missing_payment_method,
    },
    setup: {
      metadata: mergeMetadata({}, input.setup_intent_data?.metadata),
      description: input.setup_intent_data?.description ?? null,
    },
    // an invoice needs a customer
    createsCustomer:
      input.customer_creation === 'always' || input.mode !== 'payment' || input.invoice_creation?.enabled === true,
  };
}

const paymentTermsOf = (payment: SessionInput['payment_intent_data']): Order['payment'] => ({
  description: payment?.description ?? null,
  metadata: mergeMetadata({}, payment?.metadata),
  receiptEmail: payment?.receipt_email ?? null,
  suffix: payment?.statement_descriptor_suffix ?? null,
  futureUsage: payment?.setup_future_usage ?? null,
  fee: payment?.application_fee_amount ?? null,
  destination: payment?.transfer_data
    ? { account: payment.transfer_data.destination, amount: payment.transfer_data.amount ?? null }
    : null,
});

function assertConsistent(input: SessionInput): void {
  if (!input.success_url) throw missingParameter('success_url');
  if (input.customer && input.customer_email)
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', {
      param: 'customer',
    });
  if (input.mode === 'setup' && input.line_items)
    throw invalidRequest('You can not pass `line_items` in `setup` mode.', { param: 'line_items' });
  if (input.mode !== 'subscription' && input.subscription_data)
    throw invalidRequest('You can not pass `subscription_data` unless in `subscription` mode.', {
      param: 'subscription_data',
    });
  if (input.mode !== 'payment' && input.payment_intent_data)
    throw invalidRequest('You can not pass `payment_intent_data` unless in `payment` mode.', {
      param: 'payment_intent_data',
    });
  if (input.mode !== 'payment' && input.invoice_creation)
    throw invalidRequest('You can not pass `invoice_creation` unless in `payment` mode.', {
      param: 'invoice_creation',
    });
  if (input.mode === 'setup' && input.saved_payment_method_options)
    throw invalidRequest('You can not pass `saved_payment_method_options` in `setup` mode.', {
      param: 'saved_payment_method_options',
    });
  if (input.discounts?.length && input.allow_promotion_codes)
    throw invalidRequest('You may only specify one of these parameters: allow_promotion_codes, discounts.', {
      param: 'discounts',
    });
  if (input.mode === 'setup' && !input.currency && !input.allowed_payment_method_types)
    throw missingParameter('currency');
}

async function create(work: Work, input: SessionInput): Promise<Stripe.Checkout.Session> {
  assertConsistent(input);
  const customer = input.customer ? await findCustomer(work, input.customer) : null;
  const isSetup = input.mode === 'setup';
  const pricedOrder = isSetup ? { lines: [], prices: [] } : await orderLines(work, input.line_items ?? [], input.mode);
  const code = currencyOf(input, pricedOrder);
  const order = await orderOf(work, input, pricedOrder.lines);
  const reductions = await findReductions(work, order.discounts, code ?? '');
  const totals = totalsOf(pricedOrder, reductions, trialEndOf(order, work.now()) !== null);
  if (input.mode === 'subscription') assertOwnCurrency(customer, code);
  assertTotal(input, totals.total, code);
  const session = newSession(work, input, code);
  if (!isSetup) {
    session.amount_subtotal = totals.subtotal;
    session.amount_total = totals.total;
    session.total_details = { amount_discount: totals.discount, amount_shipping: 0, amount_tax: 0 };
  }
  session.customer = customer?.id ?? null;
  session.discounts = order.discounts.map(({ coupon = null, promotion_code = null }) => ({ coupon, promotion_code }));
  return work.add(session, { order, ...(customer?.test_clock && { clock: String(customer.test_clock) }) });
}

function currencyOf(input: SessionInput, { prices }: PricedOrder): string | null {
  const code = input.currency ?? prices[0]?.currency ?? null;
  if (prices.some((price) => price.currency !== code))
    throw invalidRequest('All prices must have the same currency, which is also that of the session.', {
      param: input.currency === undefined ? 'line_items' : 'currency',
    });
  return code;
}

function assertTotal({ payment_intent_data: payment }: SessionInput, total: number, code: string | null): void {
  const least = MIN_AMOUNTS[code ?? ''] ?? 0;
  if (total > 0 && total < least)
    throw invalidRequest(
      `The Checkout Session's total amount due must add up to at least ${(least / 100).toFixed(2)} ${code}`,
      { code: 'amount_too_small', param: 'line_items' },
    );
  const parts = {
    'payment_intent_data[application_fee_amount]': payment?.application_fee_amount,
    'payment_intent_data[transfer_data][amount]': payment?.transfer_data?.amount,
  };
  for (const [param, part = 0] of Object.entries(parts))
    if (part > total) throw invalidRequest('The share cannot be greater than the total amount.', { param });
}

function expiryOf(work: Work, input: number | undefined): number {
  const expires = input ?? work.now() + DAY;
  if (expires < work.now() + 1800 || expires > work.now() + DAY + 60)
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  return expires;
}

function newSession(work: Work, input: SessionInput, code: string | null): Stripe.Checkout.Session {
  const id = `cs_test_${randomText(58)}`;
  const { mode } = input;
  return {
    ...NULL_FIELDS.session,
    ...commonFields(),
    id,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    allow_promotion_codes: input.allow_promotion_codes ?? null,
    billing_address_collection: input.billing_address_collection ?? null,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created: work.now(),
    currency: code,
    customer_creation: mode === 'payment' ? (input.customer_creation ?? 'if_required') : null,
    customer_email: input.customer_email ?? null,
    expires_at: expiryOf(work, input.expires_at),
    invoice_creation: mode === 'payment' ? invoiceCreationOf(input.invoice_creation) : null,
    locale: (input.locale ?? null) as Stripe.Checkout.Session.Locale | null,
    metadata: mergeMetadata({}, input.metadata),
    mode,
    payment_method_collection: mode === 'subscription' ? (input.payment_method_collection ?? 'always') : null,
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    saved_payment_method_options: savedCardsOf(input.saved_payment_method_options),
    submit_type: input.submit_type ?? null,
    success_url: input.success_url ?? null,
    url: `${work.pages}/pay/${id}${work.pageQuery}`,
  };
}

/** Fields with the same value in every session. */
const commonFields = () => ({
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

function savedCardsOf(options: SessionInput['saved_payment_method_options']) {
  if (!options) return null;
  const { allow_redisplay_filters = ['always'] } = options;
  return { allow_redisplay_filters, payment_method_remove: null, payment_method_save: null };
}

function invoiceCreationOf(input: SessionInput['invoice_creation']): Stripe.Checkout.Session.InvoiceCreation {
  const { custom_fields = null, description = null, footer = null, metadata: own } = input?.invoice_data ?? {};
  return {
    enabled: input?.enabled ?? false,
    invoice_data: {
      account_tax_ids: null,
      custom_fields,
      description,
      footer,
      issuer: null,
      metadata: mergeMetadata({}, own),
      rendering_options: null,
    },
  };
}

const PATH = '/v1/checkout/sessions';

export const checkoutSessionRoutes: Route[] = [
  route('POST', PATH, CREATE, create),
  retrieveRoute(PATH, 'checkout.session'),
  route('POST', `${PATH}/:id`, { metadata: metadata() }, async (work, input, { id = '' }) => {
    const session = await work.find('checkout.session', id);
    session.metadata = mergeMetadata(session.metadata, input.metadata);
    return session;
  }),
  route('POST', `${PATH}/:id/expire`, {}, async (work, _, { id = '' }) => {
    const session = await work.find('checkout.session', id);
    if (session.status !== 'open')
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    await expireSession(work, session);
    return session;
  }),
  partsRoute(`${PATH}/:id/line_items`, {
    find: async (work, _, { id = '' }) => (await lineItemsOf(work, id)).data,
  }),
  listRoute(PATH, 'checkout.session', {
    filters: { customer: text(), status: text(), payment_intent: text(), subscription: text() },
    criteria: ({ customer, status, payment_intent, subscription }) => ({
      customer,
      parent: payment_intent,
      fields: { ...(status && { status }), ...(subscription && { subscription }) },
    }),
  }),
];
