import type Stripe from 'stripe';
import { onboardAccount } from '../../testing/onboard-account';
import type { TestSandbox } from '../../testing/open-test-sandbox';
import { payByForms } from '../../testing/pay-by-forms';

/** List URLs of the sandbox, by the SDK's declaration (`file#interface`). */
const LISTS: Record<string, string> = {
  'Customers#Customer': 'customers',
  'PaymentMethods#PaymentMethod': 'customers/:customer/payment_methods',
  'Coupons#Coupon': 'coupons',
  'PromotionCodes#PromotionCode': 'promotion_codes',
  'Products#Product': 'products',
  'Prices#Price': 'prices',
  'Subscriptions#Subscription': 'subscriptions?status=all&customer=:customer&expand[]=data.discounts',
  'Invoices#Invoice': 'invoices?expand[]=data.payments',
  'InvoicePayments#InvoicePayment': 'invoice_payments',
  'PaymentIntents#PaymentIntent': 'payment_intents?expand[]=data.latest_charge.balance_transaction',
  'Charges#Charge': 'charges',
  'BalanceTransactions#BalanceTransaction': 'balance_transactions',
  'Refunds#Refund': 'refunds',
  'Disputes#Dispute': 'disputes',
  'Radar/EarlyFraudWarnings#EarlyFraudWarning': 'radar/early_fraud_warnings',
  'Reviews#Review': 'reviews',
  'SetupIntents#SetupIntent': 'setup_intents',
  'Checkout/Sessions#Session': 'checkout/sessions?expand[]=data.line_items',
  'Accounts#Account': 'accounts',
  'Transfers#Transfer': 'transfers',
  'ApplicationFees#ApplicationFee': 'application_fees',
  'Payouts#Payout': 'payouts',
  'WebhookEndpoints#WebhookEndpoint': 'webhook_endpoints',
  'TestHelpers/TestClocks#TestClock': 'test_helpers/test_clocks',
};

const SINGLES: Record<string, string> = {
  'Balance#Balance': 'balance',
  'BalanceSettings#BalanceSettings': 'balance_settings',
  'Tax/Settings#Settings': 'tax/settings',
};

const headers = { authorization: 'Bearer sk_test_x' };

/** Raw objects of each kind in many states, before the SDK parses them. */
export async function sampleObjects(sandbox: TestSandbox): Promise<Record<string, unknown[]>> {
  const { customer } = await subscribe(sandbox.stripe);
  await pay(sandbox);
  await share(sandbox);
  await openPages(sandbox);
  const found = Object.entries(LISTS).map(async ([declared, address]) => {
    const path = `${address}${address.includes('?') ? '&' : '?'}limit=100`.replace(':customer', customer);
    const answer = await sandbox.fetch(`https://api.stripe.com/v1/${path}`, { headers });
    return [declared, ((await answer.json()) as { data: unknown[] }).data] as const;
  });
  const singles = Object.entries(SINGLES).map(async ([declared, path]) => {
    const answer = await sandbox.fetch(`https://api.stripe.com/v1/${path}`, { headers });
    return [declared, [await answer.json()]] as const;
  });
  const objects: Record<string, unknown[]> = Object.fromEntries(await Promise.all([...found, ...singles]));
  const own = await sandbox.fetch('https://api.stripe.com/v1/account', { headers });
  return { ...objects, 'Accounts#Account': [...objects['Accounts#Account']!, await own.json()] };
}

/** Subscriptions in all states, with their invoices. */
async function subscribe(stripe: Stripe): Promise<{ customer: string }> {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_769_850_000 });
  const { id: customer } = await stripe.customers.create({ email: 'a@example.com', test_clock: clock });
  const { id: good } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: bad } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'TEN' });
  await stripe.coupons.create({ amount_off: 200, currency: 'eur', duration: 'repeating', duration_in_months: 3 });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const params = { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' as const }, product };
  const { id: price } = await stripe.prices.create(params);
  await stripe.prices.create({ currency: 'eur', unit_amount: 1200, product });
  const create = async (more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    (await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: good, ...more })).id;
  await create({ discounts: [{ coupon }] });
  await create({ trial_period_days: 60 });
  const [paused, failing, ending, canceled] = [await create(), await create(), await create(), await create()];
  await stripe.subscriptions.update(paused, { pause_collection: { behavior: 'void' } });
  await stripe.subscriptions.update(failing, { default_payment_method: bad });
  await stripe.subscriptions.update(ending, { cancel_at_period_end: true });
  await stripe.subscriptions.cancel(canceled);
  await stripe.testHelpers.testClocks.advance(clock, { frozen_time: 1_769_850_000 + 33 * 86_400 });
  await create();
  return { customer };
}

const byCard = { currency: 'eur', allowed_payment_method_types: ['card' as const], confirm: true };

/** Payments: paid, failed, waiting for authentication, refunded and disputed; and unfinished setups. */
async function pay({ stripe, sandbox: { capture } }: TestSandbox): Promise<void> {
  const { id: customer } = await stripe.customers.create({ name: 'Oyente', metadata: { user: '5' } });
  const charge = (amount: number, payment_method: string) =>
    stripe.paymentIntents.create({ ...byCard, amount, payment_method, metadata: { order: '17' } });
  const paid = await charge(90_000, 'pm_card_bypassPending');
  await capture();
  await stripe.refunds.create({ payment_intent: paid.id, amount: 500 });
  await charge(2000, 'pm_card_authenticationRequired');
  await charge(2000, 'pm_card_visa_chargeDeclinedInsufficientFunds').catch(() => null);
  const unreachable = await charge(3000, 'pm_card_refundFail');
  await stripe.refunds.create({ payment_intent: unreachable.id });
  await charge(2000, 'pm_card_createIssuerFraudRecord');
  await charge(3000, 'pm_card_createIssuerFraudRecord');
  await charge(2000, 'pm_card_riskLevelElevated');
  await charge(2000, 'pm_card_createDisputeInquiry');
  await charge(9000, 'pm_card_createDispute');
  const lost = await charge(8000, 'pm_card_createDispute');
  const { data } = await stripe.disputes.list({ payment_intent: lost.id });
  await stripe.disputes.close(data[0]!.id);
  await stripe.paymentIntents.create({ amount: 700, currency: 'eur', customer });
  await stripe.setupIntents.create({ customer });
  await stripe.payouts.create({ amount: 100, currency: 'eur' });
}

/** A payment shared with a connected account and partly refunded. */
async function share(sandbox: TestSandbox): Promise<void> {
  const { stripe } = sandbox;
  const destination = await onboardAccount(sandbox);
  const params = { application_fee_amount: 200, transfer_data: { destination } };
  const { id } = await stripe.paymentIntents.create({
    ...byCard,
    ...params,
    amount: 2000,
    payment_method: 'pm_card_visa',
  });
  const back = { reverse_transfer: true, refund_application_fee: true };
  await stripe.refunds.create({ payment_intent: id, amount: 500, ...back });
  await stripe.webhookEndpoints.create({ url: 'https://a.example', enabled_events: ['charge.succeeded'] });
}

/** Checkout pages of each kind: open, paid and expired. */
async function openPages({ stripe, fetch }: TestSandbox): Promise<void> {
  const { id: customer } = await stripe.customers.create({ email: 'b@example.com' });
  const price_data = { currency: 'eur', unit_amount: 500, product_data: { name: 'x' } };
  const monthly = { ...price_data, recurring: { interval: 'month' as const } };
  const open = (params: Stripe.Checkout.SessionCreateParams) =>
    stripe.checkout.sessions.create({ success_url: 'https://a.example', ...params });
  const purchase = { mode: 'payment' as const, line_items: [{ quantity: 1, price_data }] };
  await open(purchase);
  await stripe.checkout.sessions.expire((await open(purchase)).id);
  const pages = [
    await open(purchase),
    await open({ ...purchase, invoice_creation: { enabled: true } }),
    await open({ mode: 'subscription', customer, line_items: [{ quantity: 1, price_data: monthly }] }),
    await open({ mode: 'setup', customer, allowed_payment_method_types: ['card'] }),
  ];
  for (const { url } of pages) await payByForms(fetch, url!, { number: '4242424242424242', email: 'b@example.com' });
}
