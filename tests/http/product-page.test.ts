import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { products } from '~/db/schema/products';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const APP = env.urls.appUrl;
const app = pagesApp(runtime, env.urls);
const lucia = await make.creator({ domain: 'lucia' });

type Sent = { token?: string; form?: Record<string, string> };
async function open(path: string, { token, form }: Sent = {}) {
  const headers: Record<string, string> = token ? { cookie: `token=${token}` } : {};
  const body = form && new URLSearchParams(form);
  if (form)
    Object.assign(headers, {
      origin: APP,
      host: new URL(APP).host,
      'content-type': 'application/x-www-form-urlencoded',
    });
  const response = await app.request(`${APP}${path}`, { headers, method: form ? 'POST' : 'GET', body });
  const { status } = response;
  return { status, location: response.headers.get('location'), html: await response.text() };
}
const linksTo = (html: string, start: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href).filter((href) => href.startsWith(start));
const canonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
const namesIn = (html: string) => [...html.matchAll(/<h3[^>]*><a[^>]*>([^<]+)</g)].map(([, name]) => name);
const count = (html: string, text: string) => html.split(text).length - 1;

const long = await make.product(lucia, { slug: 'largo', name: 'Largo' });
await make.episodes(long, 60, (i) => ({
  season: 1 + (i % 3),
  name: i === 7 ? 'CANCIÓN de cuna' : `Parte ${i + 1}`,
  description: i === 9 ? '<p>El <strong>pingüino</strong>.</p>' : '<p>Nada.</p>',
}));

test('seasons are links, each with a canonical address and its own pages', async () => {
  const [all, second] = [await open('/en/@lucia/p/largo'), await open('/en/@lucia/p/largo?season=2')];

  expect(linksTo(all.html, '/en/@lucia/p/largo?season=')).toEqual(
    [1, 2, 3].map((season) => `/en/@lucia/p/largo?season=${season}`),
  );
  expect(all.html).toContain('?page=2');
  expect([second.status, canonical(second.html)]).toEqual([200, `${APP}/en/@lucia/p/largo?season=2`]);
  expect(namesIn(second.html)).toHaveLength(20);
  expect(second.html).toMatch(/aria-current="page"[^>]*>Season 2</);
  expect((await open('/en/@lucia/p/largo?season=4')).status).toBe(404);
  expect(canonical((await open('/en/@lucia/p/largo?page=3')).html)).toBe(`${APP}/en/@lucia/p/largo?page=3`);
});

test.each([
  ['cancion', ['CANCIÓN de cuna']],
  ['Cunä', ['CANCIÓN de cuna']],
  ['pinguino', ['Parte 10']],
  ['strong', []],
  ['100%', []],
  ['_', []],
])('a search for %s ignores accents, case and markup', async (words, expected) => {
  const { status, html } = await open(`/en/@lucia/p/largo?q=${encodeURIComponent(words)}`);

  expect([status, namesIn(html)]).toEqual([200, expected]);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(canonical(html)).toBe(`${APP}/en/@lucia/p/largo`);
});

test('only a show with more than 50 episodes has a search; one of 2,000 shows a page at a time', async () => {
  const empty = await make.product(lucia, { slug: 'vacio', name: 'Vacío' });
  const big = await make.product(lucia, { slug: 'enorme', name: 'Enorme' });
  await make.episodes(big, 2000);

  const [none, many, found] = [
    await open('/en/@lucia/p/vacio'),
    await open('/en/@lucia/p/enorme?page=100'),
    await open('/en/@lucia/p/enorme?q=episodio%201999'),
  ];

  expect([none.status, none.html.includes('role="search"')]).toEqual([200, false]);
  expect(none.html).toContain('No episodes yet');
  expect([many.status, many.html.includes('role="search"')]).toEqual([200, true]);
  expect(namesIn(many.html)).toHaveLength(PAGE_LIMITS.size);
  expect(many.html).toContain('Page 100 of 100');
  expect(namesIn(found.html)).toEqual(['Episodio 1999']);
  expect((await open('/en/@lucia/p/enorme?page=101')).status).toBe(404);
  expect(empty.slug).toBe('vacio');
});

test('a yearly price that saves no whole months says what it saves in per cent', async () => {
  const show = await make.product(lucia, { priceMinor: 400, annualPriceMinor: 4100, slug: 'anual', name: 'Anual' });
  await make.episodes(show, 1, () => ({ type: 'private' }));

  expect((await open('/en/@lucia/p/anual')).html).toContain('Save 14%');
});

test('a price with two intervals is a switch of radio buttons, and each leads to its payment page', async () => {
  const prices = { priceMinor: 400, annualPriceMinor: 4000, slug: 'club', name: 'Club' };
  const club = await make.product(lucia, prices);
  await make.episodes(club, 2, (i) => ({ type: i ? 'trailer' : 'private', name: i ? 'Avance' : 'Secreto' }));

  const { html } = await open('/en/@lucia/p/club');

  expect(html.match(/<input type="radio" name="interval"[^>]*value="(\w+)"/g)).toHaveLength(2);
  expect(html).toContain('2 months free (16%)');
  expect(html).toMatch(/€4\.00 a month.*€40\.00 a year/);
  expect(html).toContain('Play the trailer');
  expect(html).not.toContain('id="follow"');
  const linkOf = (part: string) => new RegExp(`${part}.*?href="[^"]*(/en/register/payment[^"]*)"`).exec(html)?.[1];
  const page = `/en/register/payment?product=${club.id}&amp;interval=`;
  expect([linkOf('per-month'), linkOf('per-year'), linkOf('class="stay"')]).toEqual([
    `${page}month`,
    `${page}year`,
    `${page}month`,
  ]);
  expect(linksTo(html, `${APP}/en/register/gift?product=${club.id}`)).toHaveLength(1);
});

test('a coupon of the address goes along to the payment page', async () => {
  const club = await make.product(lucia, { priceMinor: 400, slug: 'cupones' });

  const { html } = await open('/en/@lucia/p/cupones?coupon=OTO%C3%91O%22%26x');

  const page = `${APP}/en/register/payment?product=${club.id}&amp;interval=month&amp;coupon=OTO%C3%91O%22%26x`;
  expect(linksTo(html, page)).toHaveLength(2);
  expect((await open('/en/@lucia/p/cupones')).html).not.toContain('coupon=');
});

test('a visitor follows a free show with an email address, with the same answer for every address', async () => {
  const form = { intent: 'email', productId: String(long.id), email: 'someone@mail.example' };

  const unknown = await open('/en/@lucia/p/largo', { form });
  const known = await open('/en/@lucia/p/largo', { form: { ...form, email: lucia.email } });
  const wrong = await open('/en/@lucia/p/largo', { form: { ...form, email: 'nobody' } });

  const answer = (html: string, email: string) => /role="status">([^<]*)</.exec(html)![1]!.replace(email, 'EMAIL');
  expect([unknown.status, known.status, wrong.status]).toEqual([200, 200, 400]);
  expect(answer(known.html, lucia.email)).toBe(answer(unknown.html, 'someone@mail.example'));
  expect(wrong.html).toMatch(/id="follow-error">[^<]+</);
  expect(wrong.html).toContain('value="nobody"');
  expect((await open('/en/@lucia/p/largo', { form: { intent: 'other' } })).status).toBe(400);
});

test('a logged-in listener follows and unfollows with one click, and hears what the grant opens', async () => {
  const tom = await make.person();
  const [secret] = await make.episodes(await make.product(lucia, { slug: 'gratis', name: 'Gratis' }), 1, () => ({
    type: 'private',
    name: 'Para quien sigue',
  }));
  const productId = String(secret!.productId);
  const path = '/en/@lucia/p/gratis';

  const before = await open(path, { token: tom.token });
  const sent = await open(path, { token: tom.token, form: { intent: 'follow', productId } });
  const after = await open(path, { token: tom.token });
  const feed = await open(`/en/feed/${productId}`, { token: tom.token });
  const mine = await open('/en/feed', { token: tom.token });

  expect(before.html).toContain('value="follow"');
  expect(before.html).not.toContain('follow-email');
  expect([sent.status, sent.location]).toEqual([302, `${path}#follow`]);
  expect(after.html).toContain('value="unfollow"');
  expect(linksTo(after.html, `/en/feed/${productId}`)).toHaveLength(1);
  expect(count(feed.html, '<svg class="qr"')).toBe(7);
  expect(linksTo(feed.html, 'overcast://x-callback-url/add?url=http%3A%2F%2F')).toHaveLength(1);
  expect(mine.html).toContain('Gratis');
  expect(mine.html).toContain(`/audio/${secret!.id}/`);
  await open('/en/feed', { token: tom.token, form: { productId } });
  expect((await open(path, { token: tom.token })).html).toContain('value="follow"');
  expect((await open(`/en/feed/${productId}`, { token: tom.token })).status).toBe(404);
  expect((await open('/en/feed', { token: tom.token })).html).toContain('Your shows will be here');
});

test('my feed shows purchases with their end, and asks visitors to log in', async () => {
  const tom = await make.person();
  const paid = await make.product(lucia, { slug: 'de-pago', name: 'De pago', priceMinor: 500 });
  // access lasts a week longer, while the provider retries a failed payment
  const endsAt = new Date('2026-05-11T12:00:00Z');
  const bought = { userId: tom.id, productId: paid.id, source: 'subscription' as const, renews: true, endsAt };
  await db.insert(grants).values({ ...bought, startsAt: runtime.now() });

  const { html } = await open('/en/feed?view=purchases', { token: tom.token });

  expect(html).toContain('Subscription · Renews on 4 May 2026');
  expect(linksTo(html, '/en/feed?view=')).toEqual([
    '/en/feed?view=shows',
    '/en/feed?view=purchases',
    '/en/feed?view=creators',
  ]);
  expect((await open('/en/feed?view=creators', { token: tom.token })).html).toMatch(/<h3[^>]*><a[^>]*>Lucía</);
  for (const path of ['/en/feed', `/en/feed/${paid.id}`]) {
    expect(await open(path)).toMatchObject({ status: 302, location: `/en/login?next=${encodeURIComponent(path)}` });
  }
});

test('hostile texts stay texts, and a long or right-to-left title keeps its direction', async () => {
  const name = `</script><img src=x onerror=alert(1)> ${'مرحبا '.repeat(80)}😀`;
  const slug = 'hostil';
  const hostile = await make.product(lucia, { slug, name, description: '"><script>alert(1)</script>', language: 'ar' });
  await make.episodes(hostile, 1, () => ({ name: '<b>&amp;</b></script>', season: 1 }));

  const { status, html } = await open(`/en/@lucia/p/${slug}?q=</script><script>alert(1)`);

  expect(status).toBe(200);
  expect(html).not.toMatch(/<img src=x|<script>alert|<b>&/);
  expect(html).toMatch(/<h1 lang="ar" dir="auto">/);
  await db.update(products).set({ hideSubscribeButton: true }).where(eq(products.id, hostile.id));
});

test.each([
  ['unknown', 'unknown'],
  ['too long', 'a'.repeat(1001)],
])('a link whose token is %s leads to a page that says that it does not work', async (_, token) => {
  const unknown = await open(`/en/follow?token=${token}`);

  expect(unknown.status).toBe(200);
  expect(unknown.html).toContain('This link does not work');
  expect(unknown.html).toContain('<meta name="robots" content="noindex"/>');
  expect(unknown.html).not.toContain('<form method="post" class="form"');
});
