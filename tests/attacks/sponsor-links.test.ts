import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { sponsorLinks } from '~/db/schema/statistics';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { RATE_LIMITS } from '~/server/limits/http';
import { SPONSOR_LIMITS } from '~/server/limits/statistics';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import '../support/matchers';

const { runtime, env, make, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const START = new Date('2026-11-26T12:00:00Z');
clock.now = START;

const owner = await make.creator({ name: 'Lucía' });
const other = await make.creator({ name: 'Ada' });
const show = await make.product(owner, { name: 'Olas y viento', priceMinor: 700 });
const theirs = await make.product(other, { name: 'Otro programa' });
const releaseAt = new Date('2026-11-20T10:00:00Z');
await make.episodes(show, 2, (i) => ({
  ...{ name: i === 0 ? 'Episodio abierto' : 'Secreto de socios', slug: `parte-${i}`, releaseAt },
  type: i === 0 ? 'public' : 'private',
}));
const ref = { id: show.id, kind: 'podcast' } as const;
const day = { creatorId: owner.creatorId, productId: show.id, day: '2026-11-20' };

beforeEach(async () => {
  clock.now = START;
  for (const table of [sponsorLinks, listeningDays]) await db.delete(table);
  await db.execute('delete from rate_limits');
  await db.insert(listeningDays).values({
    ...day,
    ...{ listens: 5, downloads: 1200, playerDownloads: 34, listeners: 77 },
    dimensions: { country: { ES: 900, MX: 305 }, app: { spotify: 1205 }, device: { phone: 1205 } },
  });
});

const create = (over: object = {}) =>
  owner.api.statistics.createSponsorLink({ ...ref, name: 'Bodegas Mar', days: 30, ...over });
const pathOf = (url: string) => new URL(url).pathname;
async function open(path: string) {
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin } });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

test('a link shows downloads by the IAB, listeners, places and episodes, and nothing else', async () => {
  const { url } = await create();

  const { status, html, headers } = await open(pathOf(url));

  expect(status).toBe(200);
  for (const shown of ['Olas y viento', '1,234', '77 listeners', 'Spain', 'Spotify', 'Phone', 'Episodio abierto'])
    expect(html).toContain(shown);
  for (const hidden of ['Secreto de socios', owner.email, 'Bodegas Mar', '€']) expect(html).not.toContain(hidden);
  expect(html.slice(html.indexOf('<main'), html.indexOf('</main>'))).not.toMatch(/subscriber|revenue|customer/i);
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(html).toContain('<meta name="referrer" content="same-origin"');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect((await open('/en')).headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect((await open(`/es${pathOf(url)}`)).html).toContain('Descargas al día (IAB)');
});

test('the first days of an episode that are not over are so far, and the page begins with the first counted day', async () => {
  const { url } = await create();
  const starts = (html: string) =>
    [...html.matchAll(/data-label="First (\d+ days)">([^<]*)</g)].map(([, ...cell]) => cell);

  expect(starts((await open(pathOf(url))).html)).toEqual([
    ['7 days', '0 so far'],
    ['30 days', '0 so far'],
  ]);
  clock.now = later(START, DAYS(1));
  const { html } = await open(pathOf(url));

  expect(starts(html)).toEqual([
    ['7 days', '0'],
    ['30 days', '0 so far'],
  ]);
  expect(html.indexOf('Counted since 20 November 2026.')).toBeLessThan(html.indexOf('Downloads in 30 days'));
  expect(html).toContain('by UTC days');
});

test('each part of the page is a file, in which no cell runs, and none is behind another address', async () => {
  const path = pathOf((await create()).url);
  const read = async (part: string, at = path) => {
    const { status, html, headers } = await open(`${at}/chart.csv?chart=${part}`);
    return { status, lines: html.replace('\ufeff', '').trim().split('\r\n'), headers };
  };

  const downloads = await read('downloads');
  const { html } = await open(path);

  expect(downloads.headers.get('content-disposition')).toContain('downloads-2026-08-28-2026-11-25.csv');
  expect(downloads.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(downloads.lines).toHaveLength(SPONSOR_LIMITS.days + 1);
  expect(downloads.lines).toContain('2026-11-20,1234');
  expect((await read('listeners')).lines).toContain('2026-11-20,77');
  expect((await read('countries')).lines).toEqual(['key,name,plays', 'ES,Spain,900', 'MX,Mexico,305']);
  expect((await read('apps')).lines).toEqual(['key,name,plays', 'spotify,Spotify,1205']);
  expect((await read('devices')).lines).toEqual(['key,name,plays', 'phone,Phone,1205']);
  const episodes = (starts: string) => [
    'name,released_at,first_7d,first_30d',
    `Episodio abierto,2026-11-20T10:00:00.000Z,${starts}`,
  ];
  expect((await read('episodes')).lines).toEqual(episodes(','));
  clock.now = later(START, DAYS(1));
  expect((await read('episodes')).lines).toEqual(episodes('0,'));
  clock.now = START;
  for (const part of ['downloads', 'listeners', 'episodes', 'countries', 'apps', 'devices'])
    expect(html).toContain(`href="${path}/chart.csv?chart=${part}"`);
  expect((await read('sales')).status).toBe(404);
  expect((await read('downloads', '/figures/unknown')).status).toBe(410);
});

test('private episodes are named only if the creator lets the link do it', async () => {
  const { url } = await create({ namesPrivate: true });

  expect((await open(pathOf(url))).html).toContain('Secreto de socios');
});

test('only a hash of the token is stored, and the last use is noted once an hour', async () => {
  const { url } = await create();
  const token = pathOf(url).split('/').at(-1)!;

  await open(pathOf(url));
  const [row] = await db.select().from(sponsorLinks);
  clock.now = later(START, MINUTES(59));
  await open(pathOf(url));
  const [again] = await db.select().from(sponsorLinks);

  expect(JSON.stringify(row)).not.toContain(token);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect([row!.lastUsedAt, again!.lastUsedAt]).toEqual([START, START]);
  expect((await owner.api.statistics.sponsorLinks(ref)).map(({ name, state }) => [name, state])).toEqual([
    ['Bodegas Mar', 'live'],
  ]);
});

test.each([
  ['an altered token', (path: string) => path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')],
  ['a shorter token', (path: string) => path.slice(0, -1)],
  ['an unknown token', () => '/figures/unknown'],
  ['a token that is much too long', () => `/figures/${'a'.repeat(5000)}`],
  ['the hash instead of the token', () => '/figures/HASH'],
])('%s gets a friendly page with 410', async (_, alter) => {
  const { url } = await create();
  const [row] = await db.select().from(sponsorLinks);

  const { status, html, headers } = await open(alter(pathOf(url)).replace('HASH', row!.tokenHash));

  expect(status).toBe(410);
  expect(html).toContain('This link no longer works');
  expect(html).not.toContain('Olas y viento');
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
});

test('a link ends with its days, with a revocation, with the show and with a take-down', async () => {
  const { url } = await create({ days: 7 });
  const path = pathOf(url);
  clock.now = new Date(later(START, DAYS(7)).getTime() - 1);
  expect((await open(path)).status).toBe(200);
  clock.now = later(START, DAYS(7));
  expect((await open(path)).status).toBe(410);
  expect((await owner.api.statistics.sponsorLinks(ref))[0]!.state).toBe('expired');

  clock.now = START;
  for (const change of [{ takenDownAt: START }, { takenDownAt: null, retiredAt: START }]) {
    await db.update(products).set(change).where(eq(products.id, show.id));
    expect((await open(path)).status).toBe(410);
  }
  await db.update(products).set({ retiredAt: null }).where(eq(products.id, show.id));
  const { id: linkId } = (await owner.api.statistics.sponsorLinks(ref))[0]!;
  await owner.api.statistics.revokeSponsorLink({ ...ref, linkId });
  await owner.api.statistics.revokeSponsorLink({ ...ref, linkId });
  expect((await open(path)).status).toBe(410);
});

test('another creator can neither list, make nor revoke links of a show, nor by way of their own one', async () => {
  await create();
  const { id: linkId } = (await owner.api.statistics.sponsorLinks(ref))[0]!;
  const own = { id: theirs.id, kind: 'podcast' } as const;

  await expect(other.api.statistics.sponsorLinks(ref)).toFailWith('product.not_found');
  await expect(other.api.statistics.createSponsorLink({ ...ref, name: 'x', days: 7 })).toFailWith('product.not_found');
  await expect(other.api.statistics.revokeSponsorLink({ ...ref, linkId })).toFailWith('product.not_found');
  await expect(other.api.statistics.revokeSponsorLink({ ...own, linkId })).toFailWith(
    'statistics.sponsor_link_not_found',
  );
  expect((await owner.api.statistics.sponsorLinks(ref))[0]!.state).toBe('live');
});

test('a show has a limited number of links that work, also of two requests at once', async () => {
  const expiresAt = later(START, DAYS(7));
  const rows = Array.from({ length: SPONSOR_LIMITS.live - 1 }, (_, i) => ({
    ...{ productId: show.id, creatorId: owner.creatorId, name: 'x', namesPrivate: false, createdAt: START, expiresAt },
    tokenHash: String(i),
  }));
  await db.insert(sponsorLinks).values(rows);

  const results = await Promise.allSettled([create(), create()]);

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expect(create()).toFailWith('statistics.too_many_sponsor_links');
  for (const days of [0, 8, 91, 3650]) await expect(create({ days })).rejects.toThrow();
});

test('nobody can try many tokens', async () => {
  for (let i = 0; i < RATE_LIMITS.viewFigures.points; i += 1) await open(`/figures/guess${i}`);

  expect((await open('/figures/one-more')).status).toBe(429);
});

test('creating and revoking in a loop ends', async () => {
  const revokeLatest = async () => {
    const [latest] = await owner.api.statistics.sponsorLinks(ref);
    await owner.api.statistics.revokeSponsorLink({ ...ref, linkId: latest!.id });
  };
  for (let i = 0; i < RATE_LIMITS.createSponsorLink.points; i += 1) {
    await create();
    if (i > 0) await revokeLatest();
  }

  await expect(create()).toFailWith('common.too_many_requests');
  const [oldest] = await db.select({ id: sponsorLinks.id }).from(sponsorLinks).orderBy(sponsorLinks.id).limit(1);
  await owner.api.statistics.revokeSponsorLink({ ...ref, linkId: oldest!.id });
});

test('the studio shows the address once, in the answer of the form', async () => {
  const path = `/podcasts/${show.id}/metric/sponsors`;
  const headers = { cookie: `token=${owner.token}`, host, origin };
  const body = new URLSearchParams({ intent: 'create', name: 'Bodegas Mar', days: '90', namesPrivate: 'false' });

  const made = await app.request(env.urls.appUrl + path, { method: 'POST', headers, body });
  const html = await made.text();
  expect(made.headers.get('cache-control')).toBe('no-store');
  const afterwards = await (await app.request(env.urls.appUrl + path, { headers })).text();

  expect(html).toMatch(/href="[^"]*\/figures\/[\w-]{43}"/);
  expect(afterwards).toContain('Bodegas Mar');
  expect(afterwards).not.toMatch(/\/figures\/[\w-]{43}/);
});
