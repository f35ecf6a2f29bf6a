import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ourError } from '~/server/adapters/payments/failures';
import { charged, eur, type FarEnd, gathering, key, settled, subscriber } from './remote-stripe';

/** Disputes come some moments after the payment at Stripe. */
async function disputeOf({ stripe }: FarEnd, payment: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    const { data } = await stripe.disputes.list({ payment_intent: payment });
    if (data[0]) return data[0];
    await sleep(1000);
  }
  throw new Error('no dispute came');
}

const said = { reference: { ticket: '3' } };

export const moneyChecks = gathering();
const { behaves } = moneyChecks;

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
  behaves(`${token.slice(8)} is refused as ${reason} ("Test card numbers": declined payments)`, async (far) => {
    const failure = await charged(far, 1000, token).catch(ourError);

    expect(failure).toMatchObject({ code: 'payments.card_declined', params: { reason } });
  });

behaves('a payment that the bank asks about waits for the customer ("Test card numbers": 3D Secure)', async (far) => {
  const { id } = await charged(far, 1000, 'pm_card_authenticationRequired');

  const payment = await far.payments.fetch.payment(id);

  expect(payment).toMatchObject({ status: 'needs_authentication', charge: null, fee: null });
  expect(payment.authenticateUrl).toMatch(/^https?:/);
});

behaves('a payment says what came in and what was kept ("Balance transactions")', async (far) => {
  const { id } = await charged(far, 1000);

  const payment = await settled(far, id);

  expect(payment).toMatchObject({
    status: 'succeeded',
    amount: eur(1000),
    refunded: eur(0),
    disputed: false,
    failure: null,
  });
});

behaves('an unknown payment is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.payment('pi_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

behaves('a whole refund gives all back', async (far) => {
  const { id } = await charged(far);

  const refund = await far.payments.refund(id, said, key());

  expect(refund).toMatchObject({ payment: id, amount: eur(1000), status: 'succeeded', reference: said.reference });
  expect(await far.payments.fetch.payment(id)).toMatchObject({ refunded: eur(1000) });
});

behaves('a refund of a part leaves the rest, which can be refunded too ("Refund and cancel payments")', async (far) => {
  const { id } = await charged(far);

  await far.payments.refund(id, { ...said, amount: eur(300) }, key());
  const rest = await far.payments.refund(id, said, key());

  expect(rest.amount).toEqual(eur(700));
});

behaves('a refund of more than there is is a conflict ("Refund and cancel payments")', async (far) => {
  const { id } = await charged(far);
  await far.payments.refund(id, { ...said, amount: eur(300) }, key());

  await expect(far.payments.refund(id, { ...said, amount: eur(701) }, key())).rejects.toMatchObject({
    code: 'payments.conflict',
  });
});

behaves('a second whole refund is a conflict ("Error codes": charge_already_refunded)', async (far) => {
  const { id } = await charged(far);
  await far.payments.refund(id, said, key());

  await expect(far.payments.refund(id, said, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

behaves('a refund with the same key is one refund ("Idempotent requests")', async (far) => {
  const { id } = await charged(far);
  const once = key();

  const [first, second] = [
    await far.payments.refund(id, { ...said, amount: eur(300) }, once),
    await far.payments.refund(id, { ...said, amount: eur(300) }, once),
  ];

  expect(second).toEqual(first);
  expect(await far.payments.fetch.payment(id)).toMatchObject({ refunded: eur(300) });
});

behaves('refunds are listed newest first, and found again', async (far) => {
  const { id } = await charged(far);
  const first = await far.payments.refund(id, { ...said, amount: eur(300) }, key());
  if (far.real) await sleep(1500);
  const second = await far.payments.refund(id, { ...said, amount: eur(200) }, key());

  expect((await far.payments.listRefunds(id)).map((refund) => refund.id)).toEqual([second.id, first.id]);
  expect(await far.payments.fetch.refund(first.id)).toEqual(first);
});

behaves('a payment that failed has nothing to refund ("Refund and cancel payments")', async (far) => {
  const { id } = await charged(far, 1000, 'pm_card_authenticationRequired');

  await expect(far.payments.refund(id, said, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

behaves('a subscription’s payment can be refunded, and the subscription goes on', async (far) => {
  const { customer, subscription } = await subscriber(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  await far.payments.refund(invoice!.payment!, said, key());

  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
});

for (const [percent, off] of [
  [10, { percent: 10 }],
  [12.5, { percent: 12.5 }],
  [100, { percent: 100 }],
] as const)
  behaves(`a coupon of ${percent} % is found again as it was made`, async ({ payments }) => {
    const made = await payments.createCoupon({ id: `c-${key()}`, off, length: 'forever' }, key());

    expect(made).toMatchObject({ off, length: 'forever', redeemed: 0, valid: true });
    expect(await payments.fetch.coupon(made.id)).toEqual(made);
  });

behaves('a coupon may be flat, for some months, for some people, for some time', async ({ payments }) => {
  const redeemBy = new Date((Math.floor(Date.now() / 1000) + 86_400 * 300) * 1000);
  const id = `c-${key()}`;

  const made = await payments.createCoupon(
    { id, off: eur(200), length: { months: 3 }, maxRedemptions: 5, redeemBy },
    key(),
  );

  expect(made).toMatchObject({ id, off: eur(200), length: { months: 3 }, maxRedemptions: 5, redeemBy });
});

behaves('a coupon’s id is taken once ("Error codes": resource_already_exists)', async ({ payments }) => {
  const id = `c-${key()}`;
  await payments.createCoupon({ id, off: { percent: 10 }, length: 'once' }, key());

  const again = payments.createCoupon({ id, off: { percent: 20 }, length: 'once' }, key());

  await expect(again).rejects.toMatchObject({ code: 'payments.conflict' });
});

behaves('a coupon counts who redeems it, and is used up at its cap ("Coupons and promotion codes")', async (far) => {
  const { id } = await far.payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 10 }, length: 'once', maxRedemptions: 1 },
    key(),
  );
  await subscriber(far, { coupon: id });

  expect(await far.payments.fetch.coupon(id)).toMatchObject({ redeemed: 1, valid: false });
  await expect(subscriber(far, { coupon: id })).rejects.toMatchObject({
    code: 'payments.coupon_not_redeemable',
  });
});

behaves('a coupon that is retired is not found, and who has it keeps it ("Delete a coupon")', async (far) => {
  const { id } = await far.payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'forever' }, key());
  const { subscription } = await subscriber(far, { coupon: id, price: eur(1000) });

  await far.payments.retireCoupon(id, key());

  await expect(far.payments.fetch.coupon(id)).rejects.toMatchObject({ code: 'payments.not_found' });
  expect(await far.payments.preview(subscription.id, null)).toMatchObject({ total: eur(500) });
});

behaves('a coupon that is retired twice is retired ("Idempotent requests": DELETE)', async ({ payments }) => {
  const { id } = await payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'once' }, key());
  await payments.retireCoupon(id, key());

  await expect(payments.retireCoupon(id, key())).resolves.toBeUndefined();
});

behaves('a disputed payment says so, and the dispute when to answer ("Test card numbers": disputes)', async (far) => {
  const { id } = await charged(far, 1000, 'pm_card_createDispute');
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
  behaves(`an answer that is ${text} makes a dispute ${status} ("Test disputes")`, async (far) => {
    const { id } = await charged(far, 1000, 'pm_card_createDispute');
    const dispute = await disputeOf(far, id);

    await far.payments.answerDispute(dispute.id, text, key());

    await expect
      .poll(async () => (await far.payments.fetch.dispute(dispute.id)).status, { timeout: 60_000 })
      .toBe(status);
  });

behaves('a dispute that is accepted is lost ("Close a dispute")', async (far) => {
  const { id } = await charged(far, 1000, 'pm_card_createDispute');
  const dispute = await disputeOf(far, id);

  expect(await far.payments.acceptDispute(dispute.id, key())).toMatchObject({ status: 'lost' });
});

behaves('a new account lacks something, and has a page to give it ("Create an account link")', async ({ payments }) => {
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

behaves('an unknown account is not found ("Error codes": account_invalid)', async ({ payments }) => {
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
  behaves(`an unknown ${what} is not found ("Error codes": resource_missing)`, async ({ payments }) => {
    const attempt = payments.fetch[what as 'invoice' | 'refund' | 'dispute' | 'coupon'](find);

    await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
  });
