import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { featuredShows } from '~/db/schema/featured-shows';
import { operatorActions, operators } from '~/db/schema/operators';
import { products } from '~/db/schema/products';
import { DAYS, later } from '~/server/base/time';
import { listenForChanges } from '~/server/http/caches/changes';
import { FEATURED_LIMITS } from '~/server/limits/products';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { protect } from '../support/second-factors';

const { runtime, env, url, make, clock } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const olga = await protect({ runtime, make });
await db.insert(operators).values({ userId: olga.id, addedAt: clock.now, addedBy: 'test' });
const ada = await make.creator({ domain: 'ada' });
const publicShow = async (name: string) => {
  const show = await make.product(ada, { name, isListed: true });
  await make.episodes(show, 1);
  return show;
};
const [tides, hums] = [await publicShow('Tides'), await publicShow('Hums')];

async function send(token: string | null, path: string, form?: Record<string, string>) {
  const { host, origin } = new URL(env.urls.appUrl);
  const headers = { host, origin, ...(token && { cookie: `token=${token}` }) };
  const body = form && new URLSearchParams(form);
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers, ...(body && { method: 'POST', body }) });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

const feature = (id: number, position: number, until = '') =>
  send(olga.token, '/admin/featured', { intent: 'feature', id: String(id), position: String(position), until });

/** The names on the shelf of recommendations. */
async function recommended(path: string): Promise<string[]> {
  const { html } = await send(null, path);
  const [, shelf = ''] = /<h2>Recommended<\/h2>(.*?)<\/section>/s.exec(html) ?? [];
  return [...shelf.matchAll(/<h3[^>]*>(.*?)<\/h3>/g)].map(([, name]) => name!);
}

test('an operator features shows, in an order, on the home page and on Discover, and it is written down', async () => {
  expect(await recommended('/')).toEqual([]);
  expect((await feature(hums.id, 2)).status).toBe(302);
  expect((await feature(tides.id, 1)).status).toBe(302);

  expect(await recommended('/')).toEqual(['Tides', 'Hums']);
  expect(await recommended('/discover')).toEqual(['Tides', 'Hums']);
  expect(await recommended('/discover?price=free')).toEqual([]);
  expect((await send(olga.token, '/admin/featured')).html).toContain('Remove Tides');

  expect((await send(olga.token, '/admin/featured', { intent: 'unfeature', id: String(tides.id) })).status).toBe(302);
  expect(await recommended('/')).toEqual(['Hums']);
  const trail = await db.select().from(operatorActions).orderBy(operatorActions.id);
  expect(trail.map(({ action, target }) => `${action} ${target}`)).toEqual([
    `featured.added show/${hums.id}`,
    `featured.added show/${tides.id}`,
    `featured.removed show/${tides.id}`,
  ]);
});

test('only a show that every visitor may see is featured, and it is shown only as long', async () => {
  const draft = await make.product(ada, { name: 'No episode', isListed: true });
  const explicit = await publicShow('Swearing');
  await db.update(products).set({ explicit: true }).where(eq(products.id, explicit.id));

  expect((await feature(draft.id, 1)).status).toBe(409);
  expect((await feature(explicit.id, 1)).status).toBe(409);
  expect((await feature(999_999, 1)).status).toBe(409);
  await db.update(products).set({ isListed: false }).where(eq(products.id, hums.id));
  expect(await recommended('/')).toEqual([]);
  await db.update(products).set({ isListed: true }).where(eq(products.id, hums.id));
  expect(await recommended('/')).toEqual(['Hums']);
});

test('a change makes the cached pages of every process stale', async () => {
  const heard: string[] = [];
  const changes = listenForChanges(url, {
    onChange: (tag) => heard.push(tag),
    onGap: () => {},
    log: runtime.log,
  });
  await changes.ready;

  await feature(tides.id, 3);

  await expect.poll(() => heard).toContain('home');
  expect((await send(null, '/')).headers.get('x-cache-tags')?.split(' ')).toContain('home');
  await changes.close();
});

test('recommendations that have ended make room, and a full list refuses another one', async () => {
  await feature(hums.id, 1);
  const many = await Promise.all(Array.from({ length: FEATURED_LIMITS.listed }, (_, n) => publicShow(`Show ${n}`)));
  const other = { position: 2, featuredAt: clock.now, featuredBy: 'olga' };
  const ended = { ...other, position: 1, until: later(clock.now, -DAYS(1)) };
  await db.delete(featuredShows);
  await db.insert(featuredShows).values(many.map(({ id }) => ({ ...ended, productId: id })));
  expect((await feature(hums.id, 3)).status).toBe(302);
  const left = await db.select().from(featuredShows).orderBy(featuredShows.productId);
  expect(left.map(({ productId }) => productId)).toEqual([hums.id]);

  await db.insert(featuredShows).values(many.slice(1).map(({ id }) => ({ ...other, productId: id })));
  const { status, html } = await feature(tides.id, 1);

  expect(status).toBe(409);
  expect(html).toContain('The list of featured shows is full.');
  expect((await feature(hums.id, 4)).status).toBe(302);
  await db.delete(featuredShows);
});

test('a recommendation ends by itself', async () => {
  await feature(hums.id, 2);
  const until = later(clock.now, DAYS(2)).toISOString().slice(0, 16);
  expect((await feature(tides.id, 1, '2020-01-01T00:00')).status).toBe(400);
  expect((await feature(tides.id, 1, until)).status).toBe(302);
  expect(await recommended('/')).toEqual(['Tides', 'Hums']);

  clock.now = later(clock.now, DAYS(2));

  expect(await recommended('/')).toEqual(['Hums']);
});

test('nobody else can feature a show, or see that the page exists', async () => {
  const form = { intent: 'feature', id: String(tides.id), position: '1', until: '' };

  expect((await send(ada.token, '/admin/featured')).status).toBe(404);
  expect((await send(ada.token, '/admin/featured', form)).status).toBe(404);
  expect((await send(ada.token, '/admin/featured', { intent: 'unfeature', id: String(tides.id) })).status).toBe(404);
  expect((await send(null, '/admin/featured', form)).status).toBe(302);
});
