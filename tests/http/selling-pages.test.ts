import { eq, inArray, sql } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { unreachable } from '~/server/adapters/payments/errors';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { DAYS, earlier, HOURS, later } from '~/server/base/time';
import { recoverPayments } from '~/server/domain/billing/provider-sync/events';
import { BUYER_LIMITS } from '~/server/limits/buyers';
import { isDeep } from '../support/deep';
import { pagesApp } from '../support/pages-app';
import { GOOD_CARD, shop } from '../support/shop';

const { runtime, env, make, lucia, tom, settle, payments, clock, ctx, fetch: shopFetch } = await shop();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);

const open = (path: string, cookie = '') => app.request(appUrl + path, { headers: { cookie, host, origin } });
const send = (path: string, fields: Record<string, string>, cookie = '') =>
  app.request(appUrl + path, {
    method: 'POST',
    headers: { cookie, host, origin },
    body: new URLSearchParams(fields),
  });
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

test('the form of a show saves trial days and a chosen price, which its page for buyers then offers', async () => {
  const show = await make.product(lucia, { name: 'Con prueba', priceMinor: 500 });
  const path = `/podcasts/${show.id}/settings/price`;
  const own = `token=${lucia.token}`;
  const form = await (await open(path, own)).text();
  expect(form).toContain('name="trialDays"');
  expect(form).toContain('name="paysWhatTheyWant"');
  const shownFields = { planType: 'paid', price: '5.00' };

  const refused = await send(path, { ...shownFields, trialDays: '9999', paysWhatTheyWant: 'on' }, own);
  const saved = await send(path, { ...shownFields, trialDays: '7', paysWhatTheyWant: 'on' }, own);

  expect([refused.status, saved.status]).toEqual([400, 302]);
  const [row] = await db.select().from(products).where(eq(products.id, show.id));
  expect(row).toMatchObject({ trialDays: 7, paysWhatTheyWant: true });
  expect(await (await open(`/register/payment?product=${show.id}`)).text()).toContain('name="amount"');
});

test('two tabs of one guest open one payment page; another browser opens its own', async () => {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 500 });
  const path = `/register/payment?product=${show.id}`;
  const html = await (await open(path)).text();
  const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const fields = { product: String(show.id), shown, email: 'invitada@mail.example', adult: 'on', terms: 'on' };

  const first = await send(path, fields);
  const [second, third] = await Promise.all([1, 2].map(() => send(path, fields, cookiesOf(first))));
  const other = await send(path, fields);

  const target = first.headers.get('location');
  expect(first.headers.getSetCookie().join()).toMatch(/HttpOnly/i);
  expect(target).toContain('/pay/');
  expect([second, third].map((answer) => answer?.headers.get('location'))).toEqual([target, target]);
  expect(other.headers.get('location')).not.toBe(target);
  expect(await db.$count(checkouts, eq(checkouts.productId, show.id))).toBe(2);
});

test('names of subscribers are text in a spreadsheet, whatever they contain', async () => {
  const show = await make.product(lucia, { name: 'Con lista', priceMinor: 500 });
  const names = ['=HYPERLINK("http://x.example")', '+1', '@SUM(A1)', '-2+3', 'a "b", c', 'two\nlines', '🎧 مرحبا'];
  for (const name of names) {
    const person = await make.person();
    await db.update(users).set({ name }).where(eq(users.id, person.id));
    const bought = { userId: person.id, productId: show.id, source: 'purchase' as const };
    await db.insert(grants).values({ ...bought, startsAt: runtime.now() });
  }

  const file = await (await open(`/podcasts/${show.id}/subscribers.csv`, `token=${lucia.token}`)).text();

  const cells = [...file.matchAll(/@mail\.example,("(?:[^"]|"")*"|[^,]*),bought/g)].map(([, cell]) => cell ?? '');
  expect(cells).toHaveLength(names.length);
  const bare = cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
  expect(bare.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  expect(bare.at(-1)).toBe('🎧 مرحبا');
  expect(bare.at(4)).toBe('a "b", c');
});

/** The payment page of a show, opened in a logged-in user's browser. */
async function openedBy(person: { token: string }, show: { id: number }, query = '') {
  const path = `/register/payment?product=${show.id}${query}`;
  const cookie = `token=${person.token}`;
  const html = await (await open(path, cookie)).text();
  const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const interval = /name="interval" value="([^"]*)"/.exec(html)?.[1];
  const fields = { product: String(show.id), shown, adult: 'on', ...(interval && { interval }) };
  return { path, cookie, fields, send: () => send(path, fields, cookie) };
}
const pageAt = async (response: Response) => {
  const address = new URL(response.headers.get('location') ?? '');
  return { address, html: await (await shopFetch(address.href)).text() };
};

test('two tabs of a logged-in buyer open one payment page, and after the payment neither sells again', async () => {
  const show = await make.product(lucia, { name: 'Dos pestañas', priceMinor: 500 });
  const buyer = await make.person();
  const tabs = await Promise.all([openedBy(buyer, show), openedBy(buyer, show)]);

  const answers = await Promise.all(tabs.map((tab) => tab.send()));

  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const [first, second] = answers.map((answer) => answer.headers.get('location'));
  expect(second).toBe(first);
  await payByForms(shopFetch, first!, { number: GOOD_CARD, proven: true });
  await settle();
  const late = await tabs[1]!.send();
  expect(late.headers.get('location') ?? '').not.toContain('/pay/');
  expect(await db.$count(checkouts, eq(checkouts.productId, show.id))).toBe(1);
  expect(await db.$count(sales, eq(sales.productId, show.id))).toBe(1);
});

test('the link back of the payment page leads to the purchase as it was, and nothing is charged', async () => {
  const show = await make.product(lucia, { name: 'Con vuelta', priceMinor: 500 });
  const buyer = await make.person();
  const tab = await openedBy(buyer, show);
  const opened = await tab.send();
  const { html } = await pageAt(opened);
  const back = new URL(/<a href="([^"]*register\/payment[^"]*)"/.exec(html)![1]!.replaceAll('&amp;', '&'));

  expect(back.origin).toBe(origin);
  expect(back.searchParams.get('product')).toBe(String(show.id));
  const returned = await open(back.pathname + back.search, tab.cookie);
  expect(returned.status).toBe(200);
  expect(await returned.text()).toContain('Con vuelta');
  expect((await tab.send()).headers.get('location')).toBe(opened.headers.get('location'));
  expect(await db.$count(sales, eq(sales.productId, show.id))).toBe(0);
  expect(await db.$count(grants, eq(grants.productId, show.id))).toBe(0);
});

test('a page that was left open until its subscription had ended changes nothing, and says so', async () => {
  const show = await make.product(lucia, { name: 'Terminado', priceMinor: 500 });
  const buyer = await make.person();
  const tab = await openedBy(buyer, show);
  await payByForms(shopFetch, (await tab.send()).headers.get('location')!, { number: GOOD_CARD, proven: true });
  await settle();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.productId, show.id));
  const page = await (await open('/account/billing', tab.cookie)).text();
  expect(page).toContain('value="cancel"');
  await payments.cancel(row!.providerId, 'now', 'ended elsewhere');
  await settle();

  const [ended] = await db.select().from(subscriptions).where(eq(subscriptions.id, row!.id));
  for (const intent of ['cancel', 'renew']) {
    const answer = await send('/account/billing', { id: String(row!.id), intent }, tab.cookie);
    expect([intent, answer.status]).toEqual([intent, 409]);
    expect(await answer.text()).toContain('has ended');
  }
  const [after] = await db.select().from(subscriptions).where(eq(subscriptions.id, row!.id));
  expect(after).toEqual(ended);
});

test('a file that may not be had is refused in words, and no file', async () => {
  const show = await make.product(lucia, { name: 'Ajeno', priceMinor: 500 });
  const month = 'month=2026-03&currency=eur';
  const paths = [`/podcasts/${show.id}/subscribers.csv`, `/money/statement.csv?${month}`, '/money/payouts/1/secret'];
  for (const path of paths) {
    const answer = await open(path, `token=${tom.token}`);
    expect([path, answer.status]).toEqual([path, path.endsWith('secret') ? 404 : 403]);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toMatch(/^[A-Z¿¡E][^{}]+\.\n$/);
  }
});

/** A port whose provider is unreachable; the port itself checks webhook signatures. */
function away(): PaymentsPort {
  const failing = (port: object): object =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]) => [
        name,
        typeof value === 'function' ? () => Promise.reject(unreachable()) : value && failing(value),
      ]),
    );
  return { ...(failing(payments) as PaymentsPort), readWebhook: payments.readWebhook, on: () => away() };
}

test('while the provider is away for an hour, nothing is charged and nothing that is paid is lost', async () => {
  const show = await make.product(lucia, { name: 'Sin proveedor', priceMinor: 500 });
  const [paid, waiting] = [await openedBy(await make.person(), show), await openedBy(await make.person(), show)];
  await payByForms(shopFetch, (await paid.send()).headers.get('location')!, { number: GOOD_CARD, proven: true });
  runtime.ports.payments = away();

  const refused = await waiting.send();
  await expect(settle()).rejects.toMatchObject({ code: 'payments.unreachable' });

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await refused.text()).toContain('The payment provider can’t be reached.');
  expect(await db.$count(grants, eq(grants.productId, show.id))).toBe(0);
  clock.now = later(clock.now, HOURS(1));
  runtime.ports.payments = payments;
  await recoverPayments(ctx);
  await settle();
  expect(await db.$count(grants, eq(grants.productId, show.id))).toBe(1);
  await payByForms(shopFetch, (await waiting.send()).headers.get('location')!, { number: GOOD_CARD, proven: true });
  await settle();
  expect(await db.$count(grants, eq(grants.productId, show.id))).toBe(2);
  expect(await db.$count(sales, eq(sales.productId, show.id))).toBe(2);
  expect(await db.$count(checkouts, eq(checkouts.productId, show.id))).toBe(2);
});

test('after the trial, the page of coupons leads to the plans', async () => {
  const leadsToPlans = async () => {
    const page = await (await open('/coupons', `token=${lucia.token}`)).text();
    return /<main.*<a[^>]*href="(?:\/es)?\/plans"/s.test(page);
  };
  const inTrial = await leadsToPlans();

  const claimedAt = earlier(runtime.now(), DAYS(20));
  const [before] = await db.select().from(creators).where(eq(creators.id, lucia.creatorId));
  await db.update(creators).set({ claimedAt }).where(eq(creators.id, lucia.creatorId));
  const onFree = await leadsToPlans();
  await db.update(creators).set({ claimedAt: before!.claimedAt }).where(eq(creators.id, lucia.creatorId));

  expect([inTrial, onFree]).toEqual([false, true]);
});

// last, because these rows exceed the creator's plan
/** The number of buyers: more than two parts of the file contain. */
const MANY = isDeep ? 20_000 : 2 * BUYER_LIMITS.exported + 1;

async function sellToMany(productId: number): Promise<void> {
  const now = runtime.now().toISOString();
  await db.execute(sql`
    with people as (
      insert into users (email, name, language, currency, terms_accepted_at, email_verified_at)
      select 'many-' || n || '@mail.example', 'Ñ', 'es', 'eur', ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, ${MANY}::int) n returning id)
    insert into grants (user_id, product_id, source, starts_at)
    select id, ${productId}, 'purchase', ${now}::timestamptz from people`);
}

test('the list of many subscribers is made in parts, while it is read, and has each of them once', async () => {
  const show = await make.product(lucia, { name: 'Con muchos', priceMinor: 500 });
  await sellToMany(show.id);
  const file = await open(`/podcasts/${show.id}/subscribers.csv`, `token=${lucia.token}`);

  const parts: string[] = [];
  const text = new TextDecoder();
  for await (const bytes of file.body!) {
    // the last person loses access while the first part is read
    if (parts.length === 0)
      await db.delete(grants).where(
        inArray(
          grants.userId,
          db
            .select({ id: users.id })
            .from(users)
            .where(eq(users.email, `many-${MANY}@mail.example`)),
        ),
      );
    parts.push(text.decode(bytes, { stream: true }));
  }

  const emails = parts.map((part) => part.match(/many-\d+@/g) ?? []);
  expect(Math.max(...emails.map(({ length }) => length))).toBe(BUYER_LIMITS.exported);
  expect(new Set(emails.flat()).size).toBe(MANY - 1);
  expect(emails.flat()).toHaveLength(MANY - 1);
});
