import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { toAppError } from '~/server/adapters/payments/failures';
import { chargeCard, collectChecks, eur, key, newSubscriber, paymentWithFee, type RemoteStripe } from './remote-stripe';

/** Disputes come some moments after the payment at Stripe. */
async function disputeOf({ stripe }: RemoteStripe, payment: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    const { data } = await stripe.disputes.list({ payment_intent: payment });
    if (data[0]) return data[0];
    await sleep(1000);
  }
  throw new Error('no dispute came');
}

const said = { reference: { ticket: '3' } };

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
  check(`${token.slice(8)} is refused as ${reason} ("Test card numbers": declined payments)`, async (far) => {
    const failure = await chargeCard(far, 1000, token).catch(toAppError);

    expect(failure).toMatchObject({ code: 'payments.card_declined', params: { reason } });
  });

check('a payment that the bank asks about waits for the customer ("Test card numbers": 3D Secure)', async (far) => {
  const { id } = await chargeCard(far, 1000, 'pm_card_authenticationRequired');

  const payment = await far.payments.fetch.payment(id);

  expect(payment).toMatchObject({ status: 'needs_authentication', charge: null, fee: null });
  expect(payment.authenticateUrl).toMatch(/^https?:/);
});

check('a payment says what came in and what was kept ("Balance transactions")', async (far) => {
  const { id } = await chargeCard(far, 1000);

  const payment = await paymentWithFee(far, id);

  expect(payment).toMatchObject({
    status: 'succeeded',
    amount: eur(1000),
    refunded: eur(0),
    disputed: false,
    failure: null,
  });
});

check('an unknown payment is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.payment('pi_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a whole refund gives all back', async (far) => {
  const { id } = await chargeCard(far);

  const refund = await far.payments.refund(id, said, key());

  expect(refund).toMatchObject({ payment: id, amount: eur(1000), status: 'succeeded', reference: said.reference });
  expect(await far.payments.fetch.payment(id)).toMatchObject({ refunded: eur(1000) });
});

check('a refund of a part leaves the rest, which can be refunded too ("Refund and cancel payments")', async (far) => {
  const { id } = await chargeCard(far);

  await far.payments.refund(id, { ...said, amount: eur(300) }, key());
  const rest = await far.payments.refund(id, said, key());

  expect(rest.amount).toEqual(eur(700));
});

check('a refund of more than there is is a conflict ("Refund and cancel payments")', async (far) => {
  const { id } = await chargeCard(far);
  await far.payments.refund(id, { ...said, amount: eur(300) }, key());

  await expect(far.payments.refund(id, { ...said, amount: eur(701) }, key())).rejects.toMatchObject({
    code: 'payments.conflict',
  });
});

check('a second whole refund is a conflict ("Error codes": charge_already_refunded)', async (far) => {
  const { id } = await chargeCard(far);
  await far.payments.refund(id, said, key());

  await expect(far.payments.refund(id, said, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a refund with the same key is one refund ("Idempotent requests")', async (far) => {
  const { id } = await chargeCard(far);
  const once = key();

  const [first, second] = [
    await far.payments.refund(id, { ...said, amount: eur(300) }, once),
    await far.payments.refund(id, { ...said, amount: eur(300) }, once),
  ];

  expect(second).toEqual(first);
  expect(await far.payments.fetch.payment(id)).toMatchObject({ refunded: eur(300) });
});

check('refunds are listed newest first, and found again', async (far) => {
  const { id } = await chargeCard(far);
  const first = await far.payments.refund(id, { ...said, amount: eur(300) }, key());
  if (far.real) await sleep(1500);
  const second = await far.payments.refund(id, { ...said, amount: eur(200) }, key());

  expect((await far.payments.listRefunds(id)).map((refund) => refund.id)).toEqual([second.id, first.id]);
  expect(await far.payments.fetch.refund(first.id)).toEqual(first);
});

check('a payment that failed has nothing to refund ("Refund and cancel payments")', async (far) => {
  const { id } = await chargeCard(far, 1000, 'pm_card_authenticationRequired');

  await expect(far.payments.refund(id, said, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a subscription’s payment can be refunded, and the subscription goes on', async (far) => {
  const { customer, subscription } = await newSubscriber(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  await far.payments.refund(invoice!.payment!, said, key());

  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
});

for (const [percent, off] of [
  [10, { percent: 10 }],
  [12.5, { percent: 12.5 }],
  [100, { percent: 100 }],
] as const)
  check(`a coupon of ${percent} % is found again as it was made`, async ({ payments }) => {
    const made = await payments.createCoupon({ id: `c-${key()}`, off, length: 'forever' }, key());

    expect(made).toMatchObject({ off, length: 'forever', redeemed: 0, valid: true });
    expect(await payments.fetch.coupon(made.id)).toEqual(made);
  });

check('a coupon may be flat, for some months, for some people, for some time', async ({ payments }) => {
  const redeemBy = new Date((Math.floor(Date.now() / 1000) + 86_400 * 300) * 1000);
  const id = `c-${key()}`;

  const made = await payments.createCoupon(
    { id, off: eur(200), length: { months: 3 }, maxRedemptions: 5, redeemBy },
    key(),
  );

  expect(made).toMatchObject({ id, off: eur(200), length: { months: 3 }, maxRedemptions: 5, redeemBy });
});

check('a coupon’s id is taken once ("Error codes": resource_already_exists)', async ({ payments }) => {
  const id = `c-${key()}`;
  await payments.createCoupon({ id, off: { percent: 10 }, length: 'once' }, key());

  const again = payments.createCoupon({ id, off: { percent: 20 }, length: 'once' }, key());

  await expect(again).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a coupon counts who redeems it, and is used up at its cap ("Coupons and promotion codes")', async (far) => {
  const { id } = await far.payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 10 }, length: 'once', maxRedemptions: 1 },
    key(),
  );
  await newSubscriber(far, { coupon: id });

  expect(await far.payments.fetch.coupon(id)).toMatchObject({ redeemed: 1, valid: false });
  await expect(newSubscriber(far, { coupon: id })).rejects.toMatchObject({
    code: 'payments.coupon_not_redeemable',
  });
});

check('a coupon that is retired is not found, and who has it keeps it ("Delete a coupon")', async (far) => {
  const { id } = await far.payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'forever' }, key());
  const { subscription } = await newSubscriber(far, { coupon: id, price: eur(1000) });

  await far.payments.retireCoupon(id, key());

  await expect(far.payments.fetch.coupon(id)).rejects.toMatchObject({ code: 'payments.not_found' });
  expect(await far.payments.preview(subscription.id, null)).toMatchObject({ total: eur(500) });
});

check('a coupon that is retired twice is retired ("Idempotent requests": DELETE)', async ({ payments }) => {
  const { id } = await payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'once' }, key());
  await payments.retireCoupon(id, key());

  await expect(payments.retireCoupon(id, key())).resolves.toBeUndefined();
});

check('a disputed payment says so, and the dispute when to answer ("Test card numbers": disputes)', async (far) => {
  const { id } = await chargeCard(far, 1000, 'pm_card_createDispute');
  const { id: disputeId } = await disputeOf(far, id);

  const dispute = await far.payments.fetch.dispute(disputeId);

  expect(dispute).toMatchObject({ payment: id, amount: eur(1000), reason: 'fraudulent', status: 'needs_answer' });
  expect(dispute.answerBy!.getTime()).toBeGreaterThan(dispute.createdAt.getTime());
  expect(await far.payments.fetch.payment(id)).toMatchObject({ disputed: true });
});

for (const [text, status] of [
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
] as const)
  check(`an answer that is ${text} makes a dispute ${status} ("Test disputes")`, async (far) => {
    const { id } = await chargeCard(far, 1000, 'pm_card_createDispute');
    const dispute = await disputeOf(far, id);

    await far.payments.answerDispute(dispute.id, text, key());

    await expect
      .poll(async () => (await far.payments.fetch.dispute(dispute.id)).status, { timeout: 60_000 })
      .toBe(status);
  });

check('a dispute that is accepted is lost ("Close a dispute")', async (far) => {
  const { id } = await chargeCard(far, 1000, 'pm_card_createDispute');
  const dispute = await disputeOf(far, id);

  expect(await far.payments.acceptDispute(dispute.id, key())).toMatchObject({ status: 'lost' });
});

check('a new account lacks something, and has a page to give it ("Create an account link")', async ({ payments }) => {
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
