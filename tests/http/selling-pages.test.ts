import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { checkouts } from '~/db/schema/checkouts';
import { products } from '~/db/schema/products';
import { pagesApp } from '../support/pages-app';
import { shop } from '../support/shop';

const { runtime, env, make, lucia } = await shop();
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
  const path = `/edit/podcasts/${show.id}`;
  const own = `token=${lucia.token}`;
  const form = await (await open(path, own)).text();
  expect(form).toContain('name="trialDays"');
  expect(form).toContain('name="paysWhatTheyWant"');
  const { name, category, language, description } = show;
  const shownFields = { name, description, language, category: String(category), planType: 'paid', price: '5.00' };

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
  const names = ['=HYPERLINK("http://x.example")', '+1', '@SUM(A1)', '-2', 'a "b", c', 'two\nlines', '🎧 مرحبا'];
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
