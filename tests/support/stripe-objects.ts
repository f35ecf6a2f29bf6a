import type { TestStripe } from './stripe-sandbox';

/** One of each kind as the sandbox sends it, by the SDK's declaration (`file#interface`): raw, before the SDK touches it. */
export async function ourObjects({ stripe, fetch }: TestStripe): Promise<Record<string, unknown>> {
  const raw = async (path: string, account?: string) => {
    const headers = { authorization: 'Bearer sk_test_x', ...(account && { 'stripe-account': account }) };
    return (await fetch(`https://api.stripe.com/v1/${path}`, { headers })).json();
  };
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: 1_769_850_000 });
  const customer = await stripe.customers.create({ email: 'a@example.com', test_clock: clock.id });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'TEN' });
  const product = await stripe.products.create({ name: 'Ruido' });
  const price = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 499,
    recurring: { interval: 'month' },
    product: product.id,
  });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: method.id,
    discounts: [{ coupon: coupon.id }],
  });
  const invoice = await stripe.invoices.retrieve(String(subscription.latest_invoice), { expand: ['payments'] });
  const account = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  const intent = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'eur',
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
    confirm: true,
    application_fee_amount: 200,
    transfer_data: { destination: account.id },
  });
  await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 500,
    reverse_transfer: true,
    refund_application_fee: true,
  });
  const disputed = await stripe.paymentIntents.create({
    amount: 9000,
    currency: 'eur',
    payment_method: 'pm_card_createDispute',
    allowed_payment_method_types: ['card'],
    confirm: true,
  });
  await stripe.paymentIntents.create({
    amount: 90_000,
    currency: 'eur',
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
    confirm: true,
  });
  await stripe.payouts.create({ amount: 100, currency: 'eur' });
  const setup = await stripe.setupIntents.create({ customer: customer.id });
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://a.example',
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'x' } } }],
  });
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'https://a.example',
    enabled_events: ['charge.succeeded'],
  });
  const first = async (path: string, under?: string) => ((await raw(path, under)) as { data: unknown[] }).data[0];
  return {
    'Customers#Customer': await raw(`customers/${customer.id}`),
    'PaymentMethods#PaymentMethod': await raw(`payment_methods/${method.id}`),
    'Coupons#Coupon': await raw(`coupons/${coupon.id}`),
    'PromotionCodes#PromotionCode': await raw(`promotion_codes/${code.id}`),
    'Products#Product': await raw(`products/${product.id}`),
    'Prices#Price': await raw(`prices/${price.id}`),
    'Subscriptions#Subscription': await raw(`subscriptions/${subscription.id}`),
    'SubscriptionItems#SubscriptionItem': (
      (await raw(`subscriptions/${subscription.id}`)) as { items: { data: unknown[] } }
    ).items.data[0],
    'Plans#Plan': ((await raw(`subscriptions/${subscription.id}`)) as { items: { data: { plan: unknown }[] } }).items
      .data[0]?.plan,
    'Discounts#Discount': (
      (await raw(`subscriptions/${subscription.id}?expand[]=discounts`)) as { discounts: unknown[] }
    ).discounts[0],
    'Invoices#Invoice': await raw(`invoices/${invoice.id}`),
    'InvoiceLineItems#InvoiceLineItem': await first(`invoices/${invoice.id}/lines`),
    'InvoicePayments#InvoicePayment': await first(`invoice_payments?invoice=${invoice.id}`),
    'PaymentIntents#PaymentIntent': await raw(`payment_intents/${intent.id}`),
    'Charges#Charge': await raw(`charges/${String(intent.latest_charge)}`),
    'BalanceTransactions#BalanceTransaction': await first('balance_transactions'),
    'Balance#Balance': await raw('balance'),
    'Refunds#Refund': await first('refunds'),
    'Disputes#Dispute': await first(`disputes?payment_intent=${disputed.id}`),
    'SetupIntents#SetupIntent': await raw(`setup_intents/${setup.id}`),
    'Checkout/Sessions#Session': await raw(`checkout/sessions/${session.id}`),
    'LineItems#LineItem': await first(`checkout/sessions/${session.id}/line_items`),
    'Accounts#Account': await raw(`accounts/${account.id}`),
    'Transfers#Transfer': await first('transfers'),
    'TransferReversals#TransferReversal': ((await first('transfers')) as { reversals: { data: unknown[] } }).reversals
      .data[0],
    'ApplicationFees#ApplicationFee': await first('application_fees'),
    'FeeRefunds#FeeRefund': ((await first('application_fees')) as { refunds: { data: unknown[] } }).refunds.data[0],
    'Payouts#Payout': await first('payouts'),
    'WebhookEndpoints#WebhookEndpoint': await raw(`webhook_endpoints/${endpoint.id}`),
    'TestHelpers/TestClocks#TestClock': await raw(`test_helpers/test_clocks/${clock.id}`),
  };
}
