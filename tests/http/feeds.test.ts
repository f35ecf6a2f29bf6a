import { gunzipSync } from 'node:zlib';
import { desc, eq, sql } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { expect, onTestFinished, test } from 'vitest';
import { creators, domains } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { formerProductSlugs, products } from '~/db/schema/products';
import { DAYS, later } from '~/server/base/time';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { listenForChanges } from '~/server/http/caches/changes';
import { createPageCache } from '~/server/http/caches/page-cache';
import { FEED_LIMITS } from '~/server/limits/feeds';
import { createLog } from '~/server/watching/log';
import { cast } from '../support/cast';
import { BASE_TIME } from '../support/runtime';

const { runtime, url, make, visitor } = await cast();
const { db } = runtime;

async function podcast(over: Parameters<typeof make.episodes>[2] = () => ({}), count = 2) {
  const creator = await make.creator();
  const product = await make.product(creator, { slug: 'ruido' });
  const made = await make.episodes(product, count, over);
  const site = `http://staging-${creator.domain}.altavoz.localhost:3000`;
  return { creator, product, made, site };
}

test('web addresses in texts that were saved without links are links, in the feed and in the app', async () => {
  const description = '<p>Notes: https://a.example/x?a=1&amp;b=2.</p>';
  const { creator, product, made } = await podcast(() => ({ description }), 1);
  await db.update(products).set({ description: 'See www.b.example' }).where(eq(products.id, product.id));

  const feed = parseRssFeed((await renderFeed(runtime, { domain: creator.domain, slug: 'ruido' })).body.toString());
  const view = await creator.api.episodes.get({ id: made[0]!.id });

  const link = (href: string, text: string) => `<a href="${href}" rel="nofollow noopener">${text}</a>`;
  const address = 'https://a.example/x?a=1&amp;b=2';
  expect(view.description).toBe(`<p>Notes: ${link(address, address)}.</p>`);
  // otherwise the form would save the links, which change with their text
  expect(view.writtenDescription).toBe(description);
  expect((await visitor.episodes.get({ id: made[0]!.id })).writtenDescription).toBeNull();
  expect(feed.items?.[0]?.content?.encoded ?? feed.items?.[0]?.description).toBe(view.description);
  expect(feed.description).toBe(`<p>See ${link('https://www.b.example', 'www.b.example')}</p>`);
});

test('the public feed contains published public episodes and trailers, newest first', async () => {
  const hidden = [
    {},
    { type: 'trailer' },
    { type: 'private' },
    { status: 'scheduled' },
    { status: 'on_hold' },
  ] as const;
  const { creator, product, made, site } = await podcast((i) => hidden[i]!, 5);

  const { status, headers, body, tags } = await renderFeed(runtime, { domain: creator.domain, slug: 'ruido' });

  const feed = parseRssFeed(body.toString());
  expect(status).toBe(200);
  expect(tags).toEqual([`product:${product.id}`, `creator:${creator.creatorId}`]);
  expect(headers['surrogate-key']).toBe(tags.join(' '));
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(Date.parse(headers['last-modified']!)).toBeGreaterThan(BASE_TIME.getTime());
  expect(feed).toMatchObject({
    title: 'Ruido de fondo',
    link: `${site}/p/ruido`,
    description: '<p>Historias que se oyen.</p>',
    language: 'es',
    podcast: { guid: product.feedGuid },
    itunes: { author: 'Lucía', categories: [{ text: 'Society & Culture', categories: [{ text: 'Documentary' }] }] },
    atom: { links: [{ href: `${site}/p/ruido/feed.xml`, rel: 'self' }] },
  });
  expect(feed.items?.map((item) => item.title)).toEqual(['Episodio 2', 'Episodio 1']);
  expect(feed.items?.[1]).toMatchObject({
    guid: { value: made[0]!.guid, isPermaLink: false },
    link: `${site}/p/ruido/episodio-1`,
    enclosures: [{ url: `http://altavoz.localhost:3000/audio/${made[0]!.id}/episodio-1.mp3`, length: 1_921_000 }],
    itunes: { duration: 120, episodeType: 'full' },
  });
});

test('an episode without a known file size is left out', async () => {
  const lengths = [{}, { audioBytes: null }, { audioBytes: 0 }, {}];
  const { creator } = await podcast((i) => lengths[i]!, 4);

  const { body } = await renderFeed(runtime, { domain: creator.domain, slug: 'ruido' });

  const feed = parseRssFeed(body.toString());
  expect(feed.items?.map(({ title }) => title)).toEqual(['Episodio 4', 'Episodio 1']);
  expect(body.toString()).not.toContain('length="0"');
});

test('a feed built from several pages has each episode once, newest first', async () => {
  const count = 2 * FEED_LIMITS.page + 3;
  // Many release times are equal, and others differ by less than a Date can represent.
  const { creator } = await podcast((i) => ({ releaseAt: new Date(BASE_TIME.getTime() + Math.floor(i / 90)) }), count);
  await db.execute(sql`update episodes set release_at = release_at + (id % 7) * interval '1 microsecond'
    where creator_id = ${creator.creatorId}`);
  const expected = await db
    .select({ guid: episodes.guid })
    .from(episodes)
    .where(eq(episodes.creatorId, creator.creatorId))
    .orderBy(desc(episodes.releaseAt), desc(episodes.id));

  const { body } = await renderFeed(runtime, { domain: creator.domain, slug: 'ruido' });

  const found = [...body.toString().matchAll(/<guid isPermaLink="false">([^<]+)/g)].map(([, guid]) => guid);
  expect(found).toEqual(expected.map(({ guid }) => guid));
});

test('a feed above the size limit is kept only as gzip', async () => {
  const description = `<p>${'Lo que se oye en la plaza. '.repeat(300)}</p>`;
  const { creator } = await podcast(() => ({ description }), 400);

  const { body, packed, headers } = await renderFeed(runtime, { domain: creator.domain, slug: 'ruido' });

  const xml = gunzipSync(body);
  expect(packed?.bytes).toBe(xml.length);
  expect(body.length).toBeLessThan(xml.length / 10);
  expect(headers).not.toHaveProperty('content-encoding');
  expect(parseRssFeed(xml.toString()).items).toHaveLength(400);
});

test('rendering a feed twice gives the same bytes', async () => {
  const { creator } = await podcast();

  const [one, two] = await Promise.all([
    renderFeed(runtime, { domain: creator.domain, slug: 'ruido' }),
    renderFeed(runtime, { domain: creator.domain, slug: 'ruido' }),
  ]);

  expect(one.body.equals(two.body)).toBe(true);
});

test('former slugs and domains redirect permanently', async () => {
  const { creator, product } = await podcast();
  await db.insert(formerProductSlugs).values({ scopeId: creator.creatorId, slug: 'viejo', ownerId: product.id });
  await db.update(domains).set({ retiredAt: BASE_TIME }).where(eq(domains.domain, creator.domain));
  const domain = `nueva-${creator.creatorId}`;
  await db.insert(domains).values({ domain, creatorId: creator.creatorId, claimedAt: BASE_TIME });
  await db.update(creators).set({ domain }).where(eq(creators.id, creator.creatorId));

  const responses = await Promise.all([
    renderFeed(runtime, { domain: creator.domain, slug: 'viejo' }),
    renderFeed(runtime, { domain: creator.domain, slug: 'ruido' }),
    renderFeed(runtime, { domain: domain, slug: 'viejo' }),
  ]);

  const to = `http://staging-${domain}.altavoz.localhost:3000/p/ruido/feed.xml`;
  expect(responses.map(({ status, headers }) => [status, headers.location])).toEqual(Array(3).fill([301, to]));
  expect(responses.map(({ headers }) => headers['cache-control'])).toEqual(Array(3).fill('public, max-age=3600'));
  expect((await renderFeed(runtime, { domain: domain, slug: 'ruido' })).status).toBe(200);
});

test('a former slug that another product uses now belongs to that product', async () => {
  const { creator, product } = await podcast();
  const newOwner = await make.product(creator, { slug: 'viejo', name: 'Heredero' });
  await make.episodes(newOwner, 1);
  await db.insert(formerProductSlugs).values({ scopeId: creator.creatorId, slug: 'viejo', ownerId: product.id });

  const { status, tags } = await renderFeed(runtime, { domain: creator.domain, slug: 'viejo' });

  expect([status, tags[0]]).toEqual([200, `product:${newOwner.id}`]);
});

test.each([null, 10])('a show without public episodes has no feed, with pages of %s', async (feedLength) => {
  const { creator, product, made } = await podcast(() => ({ type: 'private' }));
  await db.update(products).set({ feedLength }).where(eq(products.id, product.id));
  const feed = () => renderFeed(runtime, { domain: creator.domain, slug: 'ruido' });

  const { status, body } = await feed();
  await db.update(episodes).set({ type: 'trailer' }).where(eq(episodes.id, made[0]!.id));

  expect([status, body.toString()]).toEqual([404, expect.stringContaining('no public episodes')]);
  expect((await feed()).status).toBe(200);
});

test('the address of a deleted show answers 410 in the end, also the former one, until it has a show again', async () => {
  const { creator, product } = await podcast();
  await creator.api.products.update({ id: product.id, kind: 'podcast', slug: 'silencio' });
  await creator.api.products.retire({ id: product.id, kind: 'podcast' });
  const feedAfter = async (slug: string, days: number) => {
    const at = { ...runtime, now: () => later(runtime.now(), DAYS(days)) };
    const { status, body } = await renderFeed(at, { domain: creator.domain, slug });
    return [status, status < 400 ? '' : body.toString()];
  };

  expect((await feedAfter('silencio', 29))[0]).toBe(404);
  expect(await feedAfter('silencio', 30)).toEqual([410, 'The creator has deleted this show.\n']);
  expect(await feedAfter('ruido', 30)).toEqual([410, 'The creator has deleted this show.\n']);
  await make.episodes(await make.product(creator, { slug: 'silencio' }), 1);
  expect(await feedAfter('silencio', 30)).toEqual([200, '']);
});

test('unknown products, retired products and unknown creators answer 404', async () => {
  const { creator, product } = await podcast();
  expect((await renderFeed(runtime, { domain: creator.domain, slug: 'nada' })).status).toBe(404);
  expect((await renderFeed(runtime, { domain: 'nadie', slug: 'ruido' })).status).toBe(404);

  await db.update(products).set({ retiredAt: BASE_TIME }).where(eq(products.id, product.id));
  expect((await renderFeed(runtime, { domain: creator.domain, slug: 'ruido' })).status).toBe(404);
});

test('a change committed by another process invalidates the cache, and a rolled-back change does not', async () => {
  const { creator, product } = await podcast();
  const cache = createPageCache({ bytes: 1_000_000, ceiling: 60_000, now: Date.now });
  const changedTags: string[] = [];
  const onChange = (tag: string) => {
    changedTags.push(tag);
    cache.invalidate(tag);
  };
  const listener = listenForChanges(url, { onChange, onGap: cache.clear, log: createLog('silent') });
  onTestFinished(() => listener.close());
  await listener.ready;
  const load = () => cache.load('feed', () => renderFeed(runtime, { domain: creator.domain, slug: 'ruido' }));
  const notify = sql`select pg_notify('changed', ${`product:${product.id}`})`;

  await load();
  await db.transaction(async (tx) => {
    await tx.execute(notify);
    expect(cache.find('feed')).toBeDefined();
  });
  await expect.poll(() => cache.find('feed')).toBeUndefined();

  await load();
  const rolledBack = db.transaction(async (tx) => {
    await tx.execute(notify);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await db.execute(sql`select pg_notify('changed', 'product:0')`);
  await expect.poll(() => changedTags).toEqual([`product:${product.id}`, 'product:0']);
  expect(cache.find('feed')).toBeDefined();
});

test('after a lost connection, the cache is emptied and receives changes again', async () => {
  const { creator } = await podcast();
  const cache = createPageCache({ bytes: 1_000_000, ceiling: 60_000, now: Date.now });
  const listener = listenForChanges(url, { onChange: cache.invalidate, onGap: cache.clear, log: createLog('silent') });
  onTestFinished(() => listener.close());
  await listener.ready;
  const load = () => cache.load('feed', () => renderFeed(runtime, { domain: creator.domain, slug: 'ruido' }));
  await load();

  await db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'altavoz-changes'
    and datname = current_database()`);
  await expect.poll(() => cache.find('feed')).toBeUndefined();
  await load();
  await db.execute(sql`select pg_notify('changed', ${`creator:${creator.creatorId}`})`);

  await expect.poll(() => cache.find('feed')).toBeUndefined();
});
