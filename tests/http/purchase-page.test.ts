import { and, desc, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { checkouts } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { pricesOnSale, termsShown } from '~/server/domain/billing/base/rules';
import { buyShow as schema } from '~/server/domain/billing/base/schema';
import { buyShow } from '~/server/domain/billing/checkout/buy-show';
import { reportCheckout } from '~/server/domain/billing/payers/report-checkout';
import { recordDonation as record } from '~/server/domain/donations/record-donation';
import { reportCheckout as reportJob } from '~/server/queue/jobs/billing';
import { recordDonation } from '~/server/queue/jobs/donations';
import { pagesApp } from '../support/pages-app';
import { fieldsOf } from '../support/plain-form';
import { runJobs } from '../support/run-jobs';
import { GOOD_CARD, shop, showItem } from '../support/shop';

const { runtime, env, make, lucia, ctxOf, fetch, buy, settle } = await shop();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const APP = env.urls.appUrl;
const generous = await make.product(lucia, { priceMinor: 500, annualPriceMinor: 5000, paysWhatTheyWant: true });
const PAGE = `/en/register/payment?product=${generous.id}`;
const GUEST = { email: 'oyente@mail.example', terms: 'on', adult: 'on' };

async function send(path: string, form?: URLSearchParams, token = '') {
  const type = 'application/x-www-form-urlencoded';
  const headers = { origin: APP, host: new URL(APP).host, 'content-type': type, cookie: `token=${token}` };
  const response = await app.request(`${APP}${path}`, { headers, method: form ? 'POST' : 'GET', body: form });
  return { status: response.status, location: response.headers.get('location') ?? '', html: await response.text() };
}

const mainOf = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'));

/** Types into the form and presses 'Continue to payment', once. */
async function pay(typed: Record<string, string>, page = PAGE) {
  const fields = fieldsOf((await send(page)).html, 'Continue to payment');
  for (const [name, value] of Object.entries({ ...GUEST, ...typed }))
    if (fields.has(name) || name in GUEST) fields.set(name, value);
  return send(PAGE, fields);
}

async function termsOfLast() {
  const isIt = eq(checkouts.productId, generous.id);
  const [row] = await db.select().from(checkouts).where(isIt).orderBy(desc(checkouts.createdAt)).limit(1);
  return row?.terms;
}

test('the amount that was typed is the amount of the payment page', async () => {
  const { status, location } = await pay({ amount: '20' });

  expect([status, location]).toEqual([303, expect.stringContaining('/pay/')]);
  expect(await termsOfLast()).toMatchObject({ priceMinor: 2000, every: 'month' });
});

test('the interval that was chosen is paid without another step', async () => {
  await pay({ interval: 'year', amount: '60', email: 'otra@mail.example' });

  expect(await termsOfLast()).toMatchObject({ priceMinor: 6000, every: 'year' });
});

test.each([
  ['year', 'month', 500],
  ['month', 'year', 5000],
])(
  'an amount that was filled in for the other interval (%s) does not count: %s',
  async (shown, interval, priceMinor) => {
    await pay({ interval, email: `${shown}@mail.example` }, `${PAGE}&interval=${shown}`);

    expect(await termsOfLast()).toMatchObject({ priceMinor, every: interval });
  },
);

test('an amount that the show does not allow is refused next to its field, and kept', async () => {
  const { status, html } = await pay({ amount: '4.99', email: 'nadie@mail.example' });

  expect(status).toBeGreaterThanOrEqual(400);
  expect(html).toContain('Choose an amount from €5.00 to €500.00.');
  expect(fieldsOf(html, 'Continue to payment').get('amount')).toBe('4.99');
  expect(fieldsOf(html, 'Continue to payment').get('email')).toBe('nadie@mail.example');
});

test('the button for another price shows it, and buys nothing', async () => {
  const fields = fieldsOf((await send(PAGE)).html, 'Continue to payment');
  fields.set('amount', '20');
  fields.set('email', 'nadie@mail.example');
  fields.set('intent', 'choose');

  const { location } = await send(PAGE, fields);

  expect(location).toBe(`/en/register/payment?product=${generous.id}&interval=month&amount=20`);
  expect((await send(location)).html).toContain('€20.00');
});

test.each([
  ['en', 'Nothing was charged', 'The first payment is €5.00 on'],
  ['es', 'No se ha cobrado nada', 'El primer pago es de 5,00'],
] as const)(
  'after the start of a trial, the thanks page says when the first payment comes (%s)',
  async (language, nothing, first) => {
    const show = await make.product(lucia, { priceMinor: 500, trialDays: 7 });
    const buyer = await make.person();
    const item = showItem(show, { userId: buyer.id }, { trialDays: 7 });
    const id = await buy(item);
    await settle();

    const { html } = await send(`/${language}/thanks?checkout=${id}`, undefined, buyer.token);
    const status = /role="status">([^<]*)/.exec(html)?.[1];

    expect(status).toContain(nothing);
    expect(status).toContain(first);
  },
);

test('a card’s uses say what a donation is', async () => {
  const donor = await make.person();
  const terms = { name: 'Donation', priceMinor: 500, currency: 'eur', every: 'month' } as const;
  const donation = { name: 'Tom', message: '', isAnonymous: false };
  const buyer = { userId: donor.id };
  await buy({ purpose: 'donation', buyer, creatorId: lucia.creatorId, terms: { ...terms, donation } });
  await settle();

  const { html } = await send('/en/account/billing/payment-methods', undefined, donor.token);

  expect(html).toContain('monthly donation to ');
});

test('a guest’s name is the name of the new account, and asked for', async () => {
  const { html } = await send(PAGE);
  const email = 'con.nombre@mail.example';
  const { location } = await pay({ email, name: 'Nuria Vidal' });
  await payByForms(fetch, location, { number: GOOD_CARD, email, proven: true });
  await settle();

  expect(html).toContain('Your name (optional)');
  const [user] = await db.select().from(users).where(eq(users.email, email));
  expect(user!.name).toBe('Nuria Vidal');
});

test.each([
  ['en', 'from 2 June 2026', 'you pay €5.00'],
  ['es', 'a partir del', 'pagas 5,00'],
] as const)(
  'a coupon of three months says where it is bought what is paid after it (%s)',
  async (language, from, pays) => {
    const show = await make.product(lucia, { priceMinor: 500 });
    const couponCode = `TRES${language.toUpperCase()}`;
    const coupon = { discountType: 'percentage', discount: '50', duration: 'repeating', months: 3 } as const;
    await lucia.api.coupons.create({ ...coupon, productId: show.id, couponCode });
    const buyer = await make.person();
    const shown = termsShown({ prices: pricesOnSale(show), currency: show.currency, trialDays: 0 });
    const input = schema.parse({ product: show.id, shown, terms: 'on', adult: 'on', coupon: couponCode });
    const { url } = await buyShow({ ...ctxOf({ id: buyer.id, creatorId: null }), language }, input, 'browser');
    await payByForms(fetch, url, { number: GOOD_CARD, proven: true });
    await settle();
    await runJobs(runtime, reportJob.name, (payload, job) => reportCheckout(job, payload));

    const [row] = await db.select().from(checkouts).where(eq(checkouts.productId, show.id));
    const { html } = await send(`/${language}/thanks?checkout=${row!.id}`, undefined, buyer.token);
    const isOwn = and(eq(outbox.userId, buyer.id), eq(outbox.topic, 'subscribed_show'));
    const [mail] = await db.select({ text: outbox.text }).from(outbox).where(isOwn);

    for (const text of [/role="status">([^<]*)/.exec(html)?.[1], mail!.text]) {
      expect(text).toContain(from);
      expect(text).toContain(pays);
    }
  },
);

test('a monthly donation is listed with the subscriptions, where its donor stops it', async () => {
  const donor = await make.person();
  const terms = { name: 'Donation', priceMinor: 500, currency: 'eur', every: 'month' } as const;
  const donation = { name: 'Tom', message: '', isAnonymous: false };
  await buy({
    purpose: 'donation',
    buyer: { userId: donor.id },
    creatorId: lucia.creatorId,
    terms: { ...terms, donation },
  });
  await settle();
  await runJobs(runtime, recordDonation.name, (payload, job) => record(job, payload));
  const page = '/en/account/billing';

  const { html } = await send(page, undefined, donor.token);
  const listed = mainOf(html);
  const donationId = /name="donationId" value="(\d+)"/.exec(listed)![1]!;
  const stopped = await send(page, new URLSearchParams({ intent: 'stop', donationId }), donor.token);

  expect(listed).toMatch(/Monthly donations.*Donation to .*€5\.00 every month since/s);
  expect(listed).not.toContain('You have no subscriptions');
  expect(stopped.location).toBe(`${page}?done=donation_stopped`);
  const after = mainOf((await send(stopped.location, undefined, donor.token)).html);
  expect(after).toContain('Your monthly donation has ended.');
  expect(after).not.toContain('every month since');
});

test('a subscriber who is about to cancel reads until when they can listen', async () => {
  const buyer = await make.person();
  await buy(showItem(await make.product(lucia, { priceMinor: 400 }), { userId: buyer.id }));
  await settle();

  const { html } = await send('/en/account/billing', undefined, buyer.token);

  const renewal = /Renews on ([^<]+)\./.exec(html)?.[1];
  expect(renewal).toBeTruthy();
  expect(html).toContain(`You keep access until ${renewal}.`);
});

test('the pages that sell and give a show have the colours of its creator', async () => {
  await db.update(creators).set({ buttonColor: '#FFD400' }).where(eq(creators.id, lucia.creatorId));

  const pages = await Promise.all([PAGE, `/en/register/gift?product=${generous.id}`].map((path) => send(path)));

  // the player has the same accent
  for (const { html } of pages) expect(html).toContain('.site,.player{--action:#FFD400;--on-action:#15131D;');
});
