import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { toAppError } from '~/server/adapters/payments/failures';
import { chargeCard, collectChecks, eur, key, newSubscriber, paymentWithFee, type RemoteStripe } from './remote-stripe';

/** Waits for the dispute, which Stripe opens some time after the payment. */
async function waitForDispute({ stripe }: RemoteStripe, payment: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    const { data } = await stripe.disputes.list({ payment_intent: payment });
    if (data[0]) return data[0];
    await sleep(1000);
  }
  throw new Error('no dispute came');
}

const terms = { reference: { ticket: '3' } };

export const moneyChecks = collectChecks();
const { check } = moneyChecks;

for (const [token, reason] of [
  ['pm_card_visa_chargeDeclined', 'declined'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ['pm_card_visa_chargeDeclinedLostCard', 'lost_or_stolen'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'lost_or_stolen'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'limit_exceeded'],
] as const)
  check(`${token.slice(8)} is declined as ${reason} ("Test card numbers": declined payments)`, async (remote) => {
    const failure = await chargeCard(remote, 1000, token).catch(toAppError);

    expect(failure).toMatchObject({ code: 'payments.card_declined', params: { reason } });
  });

check(
  'a payment that requires authentication waits for the customer ("Test card numbers": 3D Secure)',
  async (remote) => {
    const { id } = await chargeCard(remote, 1000, 'pm_card_authenticationRequired');

    const payment = await remote.payments.fetch.payment(id);

    expect(payment).toMatchObject({ status: 'needs_authentication', charge: null, fee: null });
    expect(payment.authenticateUrl).toMatch(/^https?:/);
  },
);

check('a payment returns its amount and the fee of the provider ("Balance transactions")', async (remote) => {
  const { id } = await chargeCard(remote, 1000);
  // captured later ("Asynchronous capture"); Stripe itself may be quicker than the next call
  if (!remote.real) expect(await remote.payments.fetch.payment(id)).toMatchObject({ fee: null, net: null });

  const payment = await paymentWithFee(remote, id);

  expect(payment).toMatchObject({
    status: 'succeeded',
    amount: eur(1000),
    refunded: eur(0),
    disputed: false,
    failure: null,
  });
});

check('the payment of an invoice names it and its subscription ("Invoice payments")', async (remote) => {
  const { customer, subscription } = await newSubscriber(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  const payment = await remote.payments.fetch.payment(invoice!.payment!);

  expect(payment).toMatchObject({ invoice: invoice!.id, subscription: subscription.id, customer });
});

check('a one-time payment has no invoice and no subscription', async (remote) => {
  const { id } = await chargeCard(remote);

  expect(await remote.payments.fetch.payment(id)).toMatchObject({ invoice: null, subscription: null });
});

check('an unknown payment is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.payment('pi_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a full refund returns the whole amount', async (remote) => {
  const { id } = await chargeCard(remote);

  const refund = await remote.payments.refund(id, terms, key());

  expect(refund).toMatchObject({ payment: id, amount: eur(1000), status: 'succeeded', reference: terms.reference });
  expect(await remote.payments.fetch.payment(id)).toMatchObject({ refunded: eur(1000) });
});

for (const [reason, name] of [
  ['duplicate', 'duplicate'],
  ['fraudulent', 'fraudulent'],
  ['requested', 'requested_by_customer'],
] as const)
  check(`the reason ${reason} is kept with a refund ("Create a refund": reason)`, async (remote) => {
    const { id } = await chargeCard(remote);

    const refund = await remote.payments.refund(id, { ...terms, reason }, key());

    expect(refund).toMatchObject({ reason, failure: null });
    expect(await remote.stripe.refunds.retrieve(refund.id)).toMatchObject({ reason: name });
  });

check('the rest of a partial refund can be refunded too ("Refund and cancel payments")', async (remote) => {
  const { id } = await chargeCard(remote);

  await remote.payments.refund(id, { ...terms, amount: eur(300) }, key());
  const rest = await remote.payments.refund(id, terms, key());

  expect(rest.amount).toEqual(eur(700));
});

check('refunding more than is left is a conflict ("Refund and cancel payments")', async (remote) => {
  const { id } = await chargeCard(remote);
  await remote.payments.refund(id, { ...terms, amount: eur(300) }, key());

  await expect(remote.payments.refund(id, { ...terms, amount: eur(701) }, key())).rejects.toMatchObject({
    code: 'payments.conflict',
  });
});

check('a second full refund is a conflict ("Error codes": charge_already_refunded)', async (remote) => {
  const { id } = await chargeCard(remote);
  await remote.payments.refund(id, terms, key());

  await expect(remote.payments.refund(id, terms, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('the same key creates one refund ("Idempotent requests")', async (remote) => {
  const { id } = await chargeCard(remote);
  const once = key();

  const [first, second] = [
    await remote.payments.refund(id, { ...terms, amount: eur(300) }, once),
    await remote.payments.refund(id, { ...terms, amount: eur(300) }, once),
  ];

  expect(second).toEqual(first);
  expect(await remote.payments.fetch.payment(id)).toMatchObject({ refunded: eur(300) });
});

check('refunds are listed newest first and can be fetched', async (remote) => {
  const { id } = await chargeCard(remote);
  const first = await remote.payments.refund(id, { ...terms, amount: eur(300) }, key());
  if (remote.real) await sleep(1500);
  const second = await remote.payments.refund(id, { ...terms, amount: eur(200) }, key());

  expect((await remote.payments.listRefunds(id)).map((refund) => refund.id)).toEqual([second.id, first.id]);
  expect(await remote.payments.fetch.refund(first.id)).toEqual(first);
});

check('a failed payment cannot be refunded ("Refund and cancel payments")', async (remote) => {
  const { id } = await chargeCard(remote, 1000, 'pm_card_authenticationRequired');

  await expect(remote.payments.refund(id, terms, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('refunding a subscription’s payment keeps the subscription active', async (remote) => {
  const { customer, subscription } = await newSubscriber(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  await remote.payments.refund(invoice!.payment!, terms, key());

  expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
});

for (const [percent, off] of [
  [10, { percent: 10 }],
  [12.5, { percent: 12.5 }],
  [100, { percent: 100 }],
] as const)
  check(`a coupon of ${percent} % can be fetched unchanged`, async ({ payments }) => {
    const made = await payments.createCoupon({ id: `c-${key()}`, off, length: 'forever' }, key());

    expect(made).toMatchObject({ off, length: 'forever', redeemed: 0, valid: true });
    expect(await payments.fetch.coupon(made.id)).toEqual(made);
  });

check('a coupon can have a flat amount, a number of months, a cap and an expiry date', async ({ payments }) => {
  const redeemBy = new Date((Math.floor(Date.now() / 1000) + 86_400 * 300) * 1000);
  const id = `c-${key()}`;

  const made = await payments.createCoupon(
    { id, off: eur(200), length: { months: 3 }, maxRedemptions: 5, redeemBy },
    key(),
  );

  expect(made).toMatchObject({ id, off: eur(200), length: { months: 3 }, maxRedemptions: 5, redeemBy });
});

check('a coupon’s id is unique ("Error codes": resource_already_exists)', async ({ payments }) => {
  const id = `c-${key()}`;
  await payments.createCoupon({ id, off: { percent: 10 }, length: 'once' }, key());

  const again = payments.createCoupon({ id, off: { percent: 20 }, length: 'once' }, key());

  await expect(again).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a coupon counts redemptions and is used up at its cap ("Coupons and promotion codes")', async (remote) => {
  const { id } = await remote.payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 10 }, length: 'once', maxRedemptions: 1 },
    key(),
  );
  await newSubscriber(remote, { coupon: id });

  expect(await remote.payments.fetch.coupon(id)).toMatchObject({ redeemed: 1, valid: false });
  await expect(newSubscriber(remote, { coupon: id })).rejects.toMatchObject({
    code: 'payments.coupon_not_redeemable',
  });
});

check('a retired coupon is not found, but existing discounts stay valid ("Delete a coupon")', async (remote) => {
  const { id } = await remote.payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 50 }, length: 'forever' },
    key(),
  );
  const { subscription } = await newSubscriber(remote, { coupon: id, price: eur(1000) });

  await remote.payments.retireCoupon(id, key());

  await expect(remote.payments.fetch.coupon(id)).rejects.toMatchObject({ code: 'payments.not_found' });
  expect(await remote.payments.preview(subscription.id, null)).toMatchObject({ total: eur(500) });
});

check('retiring a coupon twice succeeds ("Idempotent requests": DELETE)', async ({ payments }) => {
  const { id } = await payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'once' }, key());
  await payments.retireCoupon(id, key());

  await expect(payments.retireCoupon(id, key())).resolves.toBeUndefined();
});

check(
  'a disputed payment is marked, and the dispute has a deadline ("Test card numbers": disputes)',
  async (remote) => {
    const { id } = await chargeCard(remote, 1000, 'pm_card_createDispute');
    const { id: disputeId } = await waitForDispute(remote, id);

    const dispute = await remote.payments.fetch.dispute(disputeId);

    expect(dispute).toMatchObject({ payment: id, amount: eur(1000), reason: 'fraudulent', status: 'needs_answer' });
    expect(dispute.answerBy!.getTime()).toBeGreaterThan(dispute.createdAt.getTime());
    expect(await remote.payments.fetch.payment(id)).toMatchObject({ disputed: true });
  },
);

for (const [text, status] of [
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
] as const)
  check(`the evidence ${text} makes a dispute ${status} ("Test disputes")`, async (remote) => {
    const { id } = await chargeCard(remote, 1000, 'pm_card_createDispute');
    const dispute = await waitForDispute(remote, id);

    await remote.payments.answerDispute(dispute.id, text, key());

    await expect
      .poll(async () => (await remote.payments.fetch.dispute(dispute.id)).status, { timeout: 60_000 })
      .toBe(status);
  });

check('an accepted dispute is lost ("Close a dispute")', async (remote) => {
  const { id } = await chargeCard(remote, 1000, 'pm_card_createDispute');
  const dispute = await waitForDispute(remote, id);

  expect(await remote.payments.acceptDispute(dispute.id, key())).toMatchObject({ status: 'lost' });
});

check('a new account has missing details and a page to enter them ("Create an account link")', async ({ payments }) => {
  const account = await payments.createAccount(
    { email: 'lucia@example.com', country: 'ES', reference: { creator: '4' } },
    key(),
  );

  const page = await payments.startAccountSetup(
    account.id,
    { returnUrl: 'https://altavoz.example/done', refreshUrl: 'https://altavoz.example/again' },
    key(),
  );

  expect(account).toMatchObject({
    country: 'ES',
    chargesEnabled: false,
    payoutsEnabled: false,
    detailsSubmitted: false,
  });
  expect(account.missing).not.toEqual([]);
  expect(page.url).toMatch(/^https?:/);
  expect(await payments.fetch.account(account.id)).toMatchObject({ id: account.id });
});

check('an unknown account is not found ("Error codes": account_invalid)', async ({ payments }) => {
  await expect(payments.fetch.account('acct_1Nothing000000000')).rejects.toMatchObject({
    code: 'payments.not_found',
  });
});

for (const [what, find] of Object.entries({
  invoice: 'in_nothing',
  refund: 're_nothing',
  dispute: 'du_nothing',
  coupon: 'nothing',
}))
  check(`an unknown ${what} is not found ("Error codes": resource_missing)`, async ({ payments }) => {
    const attempt = payments.fetch[what as 'invoice' | 'refund' | 'dispute' | 'coupon'](find);

    await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
  });
