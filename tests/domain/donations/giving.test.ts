import { and, desc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { notificationOptOuts, users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { donations } from '~/db/schema/donations';
import { outbox } from '~/db/schema/notifications';
import { noPayments } from '~/server/adapters/payments/stripe';
import { DAYS, later } from '~/server/base/time';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { eraseDonations } from '~/server/domain/donations/erase-donations';
import { findDonationRecord } from '~/server/domain/donations/queries';
import { recordDonation as record } from '~/server/domain/donations/record-donation';
import { findStoppable, stopByLink } from '~/server/domain/donations/stop-donation';
import { signToken } from '~/server/domain/notifications/signed-tokens';
import { RATE_LIMITS } from '~/server/limits/http';
import { endSubscription } from '~/server/queue/jobs/billing';
import { recordDonation } from '~/server/queue/jobs/donations';
import '../../support/matchers';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import type { Creator } from '../../support/make';
import { pagesApp } from '../../support/pages-app';
import { runJobs } from '../../support/run-jobs';
import { GOOD_CARD, shop } from '../../support/shop';

const { runtime, ctx, env, clock, visitorCtx, as, make, lucia, ada, tom, sandbox, fetch, settle, pass } = await shop();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
await lucia.api.creators.update({ acceptsDonations: true, donationText: 'Para un micrófono nuevo.' });

type Fields = Record<string, string>;
const GIFT = { choice: 'other', currency: 'eur', every: 'once', email: 'donante@mail.example', isAnonymous: 'false' };

/** Submits the page's form, like a browser without JavaScript. */
const post = (
  fields: Fields,
  { creator = lucia, prefix = '', token }: { creator?: Creator; prefix?: string; token?: string } = {},
) =>
  app.request(`${appUrl}${prefix}/register/donation-payment?creator=${creator.creatorId}`, {
    method: 'POST',
    body: new URLSearchParams({ ...GIFT, ...fields }),
    headers: token ? { cookie: `token=${token}` } : {},
  });
const get = async (path: string, token?: string) => {
  const answer = await app.request(path.startsWith('http') ? path : appUrl + path, {
    headers: token ? { cookie: `token=${token}` } : {},
  });
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') };
};
const endAll = () => runJobs(runtime, endSubscription.name, (payload, ctx) => endQueued(ctx, payload));
const recordAll = () => runJobs(runtime, recordDonation.name, (payload, ctx) => record(ctx, payload));
async function settled(): Promise<void> {
  await settle();
  await recordAll();
}

/** Donates, pays and settles. @returns the donation */
async function give(fields: Fields, options: Parameters<typeof post>[1] = {}) {
  await db.execute('delete from rate_limits');
  const answer = await post(fields, options);
  expect(answer.status).toBe(302);
  await payByForms(fetch, answer.headers.get('location')!, { number: GOOD_CARD });
  await settled();
  const [row] = await db.select().from(donations).orderBy(desc(donations.id)).limit(1);
  return row!;
}
const emails = (topic: string, to: string) =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.topic, topic), eq(outbox.to, to)))
    .orderBy(outbox.createdAt);
const stopLinkIn = (text: string) => /http\S+donation\/stop\?token=\S+/.exec(text)![0];

test.each([
  ['/en', 'Support', 'Thank you!', 'Thank you for your donation'],
  ['/es', 'Apoya a', '¡Gracias!', 'Gracias por tu donación'],
])(
  'without JavaScript and without an account, the page (%s) leads to a donation and its thanks',
  async (prefix, title, thanks, subject) => {
    const email = `ana_b+${prefix.slice(1)}@mail.example`;
    await lucia.api.donations.updateSettings({ thankYouText: 'Un abrazo desde Valencia.' });
    const page = await get(`${prefix}/donation/${lucia.creatorId}`);
    expect(page.text).toContain(title);
    expect(page.text).toContain('Para un micrófono nuevo.');
    expect(page.text).toMatch(/<form[^>]*action="[^"]*register\/donation-payment\?creator=\d+"/);

    const given = await give({ amount: '7,50', name: 'Ana', message: 'Ánimo', email }, { prefix });

    expect(given).toMatchObject({ amountMinor: 750, currency: 'eur', name: 'Ana', userId: null, email, every: null });
    expect(await db.select().from(users).where(eq(users.email, email)).orderBy(users.id)).toEqual([]);
    const [sale] = await db.select().from(sales).where(eq(sales.checkoutId, given.checkoutId));
    expect(sale).toMatchObject({ purpose: 'donation', amountMinor: 750, commissionMinor: 53, email });
    const [mail] = await emails('donation_thanks', email);
    expect(mail).toMatchObject({ language: prefix.slice(1), subject: expect.stringContaining(subject) });
    expect(mail!.text).toContain('Un abrazo desde Valencia.');
    const back = await get(`${prefix}/donation/${lucia.creatorId}?checkout=${given.checkoutId}`);
    expect(back.text).toContain(thanks);
    expect(back.text).toContain('Un abrazo desde Valencia.');
  },
);

test.each(['0.99', '500.01', '1e9', '-1', 'NaN', '', '999999999999'])(
  'the amount %j is refused, and the form keeps the typed text',
  async (amount) => {
    await db.execute('delete from rate_limits');
    const answer = await post({ amount, name: 'Ana', message: 'No lo pierdas', email: 'ana@mail.example' });
    const text = await answer.text();

    expect(answer.status).toBe(400);
    expect(text).toContain('No lo pierdas');
    expect(text).toContain('value="ana@mail.example"');
    expect(text).toMatch(/name="amount" aria-invalid="true"/);
  },
);

test('a page in another currency, without an address or of a creator without donations opens no payment', async () => {
  const before = await db.$count(checkouts);
  const free = await make.creator();

  const answers = await Promise.all([
    post({ amount: '5', currency: 'usd' }),
    post({ amount: '5', email: '' }),
    post({ amount: '5' }, { creator: ada as Creator }),
    post({ amount: '5' }, { creator: free }),
    post({ amount: '5' }, { creator: { ...lucia, creatorId: 999_999 } }),
    post({ amount: '5', message: 'a'.repeat(501) }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([409, 400, 404, 404, 404, 400]);
  expect((await get(`/donation/${ada.creatorId}`)).status).toBe(404);
  expect((await get('/donation/nobody')).status).toBe(404);
  expect((await get('/register/donation-payment')).status).toBe(404);
  expect(await db.$count(checkouts)).toBe(before);
});

test('a donor who does not pay, and a creator whose page is closed, give and get nothing', async () => {
  const closing = await make.creator();
  await closing.api.creators.update({ acceptsDonations: true });
  await post({ amount: '5' }, { creator: closing });
  await db.update(creators).set({ closedAt: clock.now }).where(eq(creators.id, closing.creatorId));
  await settled();

  expect(await db.$count(donations, eq(donations.creatorId, closing.creatorId))).toBe(0);
  expect((await post({ amount: '5' }, { creator: closing })).status).toBe(404);
});

test('a double click opens one payment page, and events that come twice record and thank once', async () => {
  const fields = { amount: '12', email: 'twice@mail.example' };
  const secret = (await post(fields)).headers.get('set-cookie')!.split(';')[0]!;
  const body = () => new URLSearchParams({ ...GIFT, ...fields });
  const url = `${appUrl}/register/donation-payment?creator=${lucia.creatorId}`;
  const answers = await Promise.all(
    [1, 2].map(() => app.request(url, { method: 'POST', body: body(), headers: { cookie: secret } })),
  );
  const [first, second] = answers.map((answer) => answer.headers.get('location'));
  expect(first).toBe(second);

  await sandbox.injectFaults({ duplicates: 2, reorder: true });
  await payByForms(fetch, first!, { number: GOOD_CARD });
  await settled();
  await settled();
  await sandbox.injectFaults({ duplicates: 0, reorder: false });

  expect(await db.$count(donations, eq(donations.email, 'twice@mail.example'))).toBe(1);
  expect(await emails('donation_thanks', 'twice@mail.example')).toHaveLength(1);
});

test('a donor without an account stops a monthly donation by the link in the email, once and for all', async () => {
  const email = 'monthly@mail.example';
  const given = await give({ amount: '3', every: 'month', email }, { prefix: '/en' });
  const [mail] = await emails('donation_thanks_monthly', email);
  const link = stopLinkIn(mail!.text);
  await pass(later(clock.now, DAYS(32)));
  expect(await db.$count(sales, eq(sales.checkoutId, given.checkoutId))).toBe(2);
  expect((await get(link)).text).toContain('Stop the donation');

  const stopped = await app.request(link, { method: 'POST', body: new URLSearchParams() });
  expect(await stopped.text()).toContain('Your monthly donation has ended');
  await app.request(link, { method: 'POST', body: new URLSearchParams() });
  await pass(later(clock.now, DAYS(62)));
  await recordAll();

  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.id, given.subscriptionId!));
  expect(subscription!.endedAt).not.toBeNull();
  expect(await db.$count(sales, eq(sales.checkoutId, given.checkoutId))).toBe(2);
  expect((await get(link)).text).toContain('Nothing more will be charged');
  expect(await emails('donation_thanks_monthly', email)).toHaveLength(1);
});

test('the page to which the payment returns is right before the webhook, and tells nothing about other checkouts', async () => {
  const answer = await post({ amount: '6', email: 'quick@mail.example' }, { prefix: '/en' });
  const [{ id } = { id: '' }] = await db.select().from(checkouts).where(eq(checkouts.email, 'quick@mail.example'));
  const page = `/en/donation/${lucia.creatorId}?checkout=${id}`;
  expect((await get(page)).text).toContain('Your donation of €6.00 to Lucía is being confirmed.');

  await payByForms(fetch, answer.headers.get('location')!, { number: GOOD_CARD });

  expect((await get(page)).text).toContain('You gave €6.00 to Lucía.');
  await settled();
  for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
    expect((await get(`/en/donation/${lucia.creatorId}?checkout=${unknown}`)).text).toContain('Continue to payment');
});

test('a donation that is stopped while the payment provider is down ends later', async () => {
  const given = await give({ amount: '3', every: 'month', email: 'down@mail.example' });
  const token = signToken(runtime, String(given.id), 'stop a monthly donation');
  const { payments } = runtime.ports;
  runtime.ports.payments = noPayments();
  await stopByLink(visitorCtx(), { token }).finally(() => Object.assign(runtime.ports, { payments }));
  expect(await findStoppable(visitorCtx(), { token })).toMatchObject({ isRunning: false });

  await endAll();

  expect(await findDonationRecord(runtime, given.id)).toMatchObject({ endReason: 'subscriber', endedAt: clock.now });
});

test('a link for another purpose, a forged one and one of a single donation stop nothing', async () => {
  const once = await give({ amount: '2', email: 'once@mail.example' });
  const other = signToken(runtime, String(once.id), 'unsubscribe from new episodes');

  await expect(stopByLink(visitorCtx(), { token: other })).rejects.toThrow('donation.stop_link_invalid');
  await expect(stopByLink(visitorCtx(), { token: `${Buffer.from('1').toString('base64url')}.x` })).rejects.toThrow(
    'donation.stop_link_invalid',
  );
  const own = signToken(runtime, String(once.id), 'stop a monthly donation');
  await expect(stopByLink(visitorCtx(), { token: own })).rejects.toThrow('donation.not_monthly');
});

test('a donor who is logged in sees their donations in the feed and stops their own, not those of others', async () => {
  const given = await give({ amount: '4', every: 'month', email: '' }, { token: tom.token });
  expect(given).toMatchObject({ userId: tom.id, email: tom.email });
  const { text } = await get('/en/feed?view=donations', tom.token);
  expect(text).toContain('€4.00 every month since');

  await expect(ada.api.donations.stop({ id: given.id })).rejects.toThrow('donation.not_found');
  const body = new URLSearchParams({ intent: 'stop', donationId: String(given.id) });
  const answer = await app.request(`${appUrl}/en/feed`, {
    method: 'POST',
    body,
    headers: { cookie: `token=${tom.token}` },
  });

  expect(answer.headers.get('location')).toBe('/en/feed?view=donations&stopped');
  const after = await get('/en/feed?view=donations&stopped', tom.token);
  expect(after.text).toContain('€4.00 every month. Ended');
  expect(await ada.api.donations.mine()).toEqual([]);
});

test('the creator is told of each donation, with its message, unless they have turned that off', async () => {
  await give({ amount: '5', name: 'Noa', message: '<script>alert(1)</script>', email: 'noa@mail.example' });
  const told = await emails('donation_received', lucia.email);
  // all emails of this file have the same time
  expect(told.filter(({ html }) => html.includes('&lt;script&gt;alert(1)'))).toHaveLength(1);
  await db.insert(notificationOptOuts).values({ userId: lucia.id, topic: 'donation_received', createdAt: clock.now });

  await give({ amount: '5', email: 'noa@mail.example' });

  expect(await emails('donation_received', lucia.email)).toHaveLength(told.length);
});

test('the goal counts donations since it was set, and renews the creator page with every payment', async () => {
  const owner = await make.creator();
  await owner.api.creators.update({ acceptsDonations: true });
  await give({ amount: '20', email: 'early@mail.example' }, { creator: owner });
  clock.now = later(clock.now, DAYS(1));
  await owner.api.donations.updateSettings({ donationGoal: '100', donationGoalTitle: 'Estudio', showsWall: true });
  const shown = async () => (await as(null)).pages.creator({ domain: owner.domain });
  const goalOf = async () => {
    const page = await shown();
    return page.moved ? null : { version: page.creator.version, ...page.donation!.goal! };
  };
  const atFirst = (await goalOf())!;
  expect(atFirst).toMatchObject({ givenMinor: 0, percent: 0 });

  await give({ amount: '10', every: 'month', email: 'goal@mail.example' }, { creator: owner });
  const once = (await goalOf())!;
  await pass(later(clock.now, DAYS(32)));
  await recordAll();
  const twice = (await goalOf())!;

  expect([once.givenMinor, twice.givenMinor]).toEqual([1000, 2000]);
  expect(once.version).toBeGreaterThan(atFirst.version);
  expect(twice.version).toBeGreaterThan(once.version);
  await owner.api.donations.updateSettings({ donationGoal: '100', donationGoalTitle: 'Otro nombre', showsWall: true });
  expect(await goalOf()).toMatchObject({ title: 'Otro nombre', givenMinor: 2000 });
  await owner.api.donations.updateSettings({ donationGoal: '50', showsWall: true });
  expect(await goalOf()).toMatchObject({ givenMinor: 0 });
});

test('the wall shows names and messages as text, without anonymous names and without hidden donors', async () => {
  const owner = await make.creator({ name: 'Wall' });
  await owner.api.creators.update({ acceptsDonations: true });
  await owner.api.donations.updateSettings({ showsWall: true });
  const hostile = '<img src=x onerror=alert(1)> \u202eشكرا 👏';
  const rude = await give({ amount: '5', name: 'Rude', message: hostile, email: 'a@mail.example' }, { creator: owner });
  await give(
    { amount: '5', name: 'Secret', isAnonymous: 'on', message: 'Hush', email: 'b@mail.example' },
    { creator: owner },
  );
  for (const name of ['', 'Silent'])
    await give({ amount: '5', name, isAnonymous: 'on', email: `c${name}@mail.example` }, { creator: owner });
  const page = () => get(`/en/donation/${owner.creatorId}`).then(({ text }) => text);
  const publicPage = () => get(runtime.urls.creator(owner.domain, '/', 'en')).then(({ text }) => text);

  for (const text of [await page(), await publicPage()]) {
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; شكرا 👏');
    expect(text).toContain('Rude');
    expect(text).toContain('Hush');
    expect(text).not.toMatch(/Secret|Silent|@mail\.example|<img src=x/);
    expect(text.match(/>Anonymous</g)).toHaveLength(1);
    expect(text).toContain('And 2 more donors');
  }
  await expect(lucia.api.donations.hide({ id: rude.id, isHidden: true })).rejects.toThrow('donation.not_found');
  await owner.api.donations.hide({ id: rude.id, isHidden: true });
  for (const text of [await page(), await publicPage()]) expect(text).not.toContain('Rude');
  await owner.api.donations.hide({ id: rude.id, isHidden: false });
  expect(await page()).toContain('Rude');
});

test('the list of donors has search, pages and a file for spreadsheets, and no other creator sees it', async () => {
  const owner = await make.creator();
  await owner.api.creators.update({ acceptsDonations: true });
  const attack = { name: '=1+1', message: 'Una "cita", y\nmás' };
  await give({ amount: '5', email: 'first@mail.example', ...attack }, { creator: owner });
  await give({ amount: '9', every: 'month', email: 'second@mail.example', name: 'Íñigo' }, { creator: owner });
  const { creatorId } = owner;

  const list = await owner.api.donations.donors({ creatorId });
  expect(list).toMatchObject({ total: 2, totals: { donations: 2, receivedMinor: 1400, monthlyMinor: 900 } });
  const found = (search: string) =>
    owner.api.donations.donors({ creatorId, search }).then(({ items }) => items.map(({ email }) => email));
  expect([await found('inigo'), await found('CITA'), await found('%')]).toEqual([
    ['second@mail.example'],
    ['first@mail.example'],
    [],
  ]);
  expect((await owner.api.donations.donors({ creatorId, every: 'month' })).items).toHaveLength(1);
  expect((await owner.api.donations.donors({ creatorId, pageSize: 1, page: 2 })).items).toHaveLength(1);

  const file = await get(`/donation/${creatorId}/subscribers.csv`, owner.token);
  expect(file.type).toContain('text/csv');
  expect(file.text).toMatch(
    /,'=1\+1,first@mail\.example,5\.00,eur,once,once,5\.00,[^,]+,"Una ""cita"", y\nmás",false,false,,pi_\w+/,
  );
  expect(file.text).toMatch(/second@mail\.example,9\.00,eur,monthly,active,.*,sub_\w+,pi_\w+/);
  for (const path of ['subscribers', 'subscribers.csv']) {
    expect((await get(`/donation/${creatorId}/${path}`, lucia.token)).status).toBe(404);
    expect((await get(`/donation/${creatorId}/${path}`)).status).toBe(302);
  }
  expect((await get(`/en/donation/${creatorId}/subscribers`, owner.token)).text).toContain('Íñigo');
});

test('the deletion of an account ends its monthly donations and those to its page, and keeps only the amounts', async () => {
  const owner = await make.creator();
  const donor = await make.person();
  await owner.api.creators.update({ acceptsDonations: true });
  const monthly = { amount: '6', every: 'month', name: 'Ana', message: 'Hola' };
  const toOwner = await give({ ...monthly, email: 'fan@mail.example' }, { creator: owner });
  const byDonor = await give({ ...monthly, email: '' }, { token: donor.token });
  const other = await give({ ...monthly, email: 'other@mail.example' });

  await eraseDonations(ctx, { userId: owner.id });
  await eraseDonations(ctx, { userId: donor.id });
  await eraseDonations(ctx, { userId: donor.id });
  await endAll();

  const stateOf = async ({ id }: { id: number }) => {
    const { donation, endedAt } = await findDonationRecord(runtime, id);
    return [endedAt !== null, donation.name, donation.email, donation.amountMinor];
  };
  expect(await stateOf(toOwner)).toEqual([true, 'Ana', 'fan@mail.example', 600]);
  expect(await stateOf(byDonor)).toEqual([true, '', '', 600]);
  expect(await stateOf(other)).toEqual([false, 'Ana', 'other@mail.example', 600]);
});

test('a network can start a limited number of payments', async () => {
  await db.execute('delete from rate_limits');
  const statuses: number[] = [];
  for (let i = 0; i <= RATE_LIMITS.giveDonation.points; i += 1) statuses.push((await post({ amount: '0' })).status);

  expect(statuses.at(-1)).toBe(429);
  expect(statuses.slice(0, -1).every((status) => status === 400)).toBe(true);
});
