import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { afterAll, expect, test } from 'vitest';
import { feedPings } from '~/db/schema/feeds';
import { products } from '~/db/schema/products';
import { announceFeed } from '~/server/domain/feeds/hub-pings';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { pingHub } from '~/server/queue/jobs/feeds';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { testFetcher } from '../../support/test-fetcher';

const { runtime, lucia, podcast, episodes, make } = await cast();
const { db } = runtime;
const received: string[] = [];
let status = 204;
const hub = createServer((req, res) => {
  let body = '';
  req.on('data', (chunk) => {
    body += chunk;
  });
  req.on('end', () => {
    received.push(`${req.method} ${req.headers['content-type']} ${body}`);
    res.writeHead(status, { location: '/elsewhere' }).end();
  });
});
await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
const fetcher = testFetcher();
afterAll(async () => {
  hub.close();
  await fetcher.close();
});
const webSubHub = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
Object.assign(runtime.settings, { webSubHub });
Object.assign(runtime.ports, { fetcher });

const show = { id: podcast.id, kind: 'podcast' } as const;
const own = { domain: lucia.domain!, slug: podcast.slug };
const rename = (name: string) => lucia.api.episodes.update({ id: episodes.podcast.public.id, kind: 'podcast', name });
const announce = () => runJobs(runtime, pingHub.name, (payload, ctx) => announceFeed(ctx, payload));
const read = async (page?: number) => {
  const { status, body, headers } = await renderFeed(runtime, { ...own, page });
  return { status, headers, xml: String(body), feed: status === 200 ? parseRssFeed(String(body)) : null };
};
const linksOf = (feed: Awaited<ReturnType<typeof read>>['feed']) =>
  Object.fromEntries((feed?.atom?.links ?? []).map(({ rel, href }) => [rel, href]));

test('the hub learns of changes, once of several; who is not public is not announced', async () => {
  await rename('Uno');
  await rename('Dos');
  const jobs = await announce();
  const form = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': runtime.urls.feed(own.domain, own.slug) });

  expect(jobs).toBeGreaterThan(1);
  expect(received).toEqual([`POST application/x-www-form-urlencoded ${form}`]);
  await db.update(products).set({ archivedAt: runtime.now() }).where(eq(products.id, podcast.id));
  await rename('Tres');
  await announce();
  await db.update(products).set({ archivedAt: null }).where(eq(products.id, podcast.id));
  expect(received).toHaveLength(1);
});

test('a hub that is down is asked again, one that refuses is not, and no redirect is followed', async () => {
  const payload = { productId: podcast.id };
  const ctx = systemCtx(runtime, 'test');
  await rename('Cuatro');
  const before = received.length;

  status = 500;
  await expect(announceFeed(ctx, payload)).rejects.toThrow();
  status = 302;
  await announceFeed(ctx, payload);
  await announceFeed(ctx, payload);

  const [row] = await db.select().from(feedPings).where(eq(feedPings.productId, podcast.id));
  const [product] = await db.select().from(products).where(eq(products.id, podcast.id));
  expect(received.length - before).toBe(2);
  expect(row!.version).toBe(product!.version);
});

test('a limited feed lists the newest episodes, and the others on further pages', async () => {
  const { xml, feed, headers } = await read();
  expect(linksOf(feed)).toMatchObject({ hub: webSubHub });
  expect(linksOf(feed).next).toBeUndefined();
  expect(xml).toMatch(/^<\?xml [^>]+\?>\n<\?xml-stylesheet type="text\/css" href="\/feed-(?:en|es)\.css"\?>\n<rss/);
  expect(headers['content-security-policy']).toContain("style-src 'self'");
  expect((await read(2)).status).toBe(404);
  const all = [
    ...(await make.episodes(podcast, 23)).map(({ guid }) => guid),
    ...feed!.items!.map(({ guid }) => guid!.value),
  ];

  await lucia.api.products.update({ ...show, feedLength: 10 });
  const pages = await Promise.all([1, 2, 3, 4].map(read));

  expect(pages.map(({ feed }) => feed?.items?.length)).toEqual([10, 10, all.length - 20, undefined]);
  const url = runtime.urls.feed(own.domain, own.slug);
  expect(pages.map(({ feed }) => linksOf(feed).next)).toEqual([`${url}?page=2`, `${url}?page=3`, undefined, undefined]);
  expect(pages.map(({ feed }) => linksOf(feed).self)).toEqual([url, `${url}?page=2`, `${url}?page=3`, undefined]);
  const listed = pages.flatMap(({ feed }) => feed?.items?.map(({ guid }) => guid!.value) ?? []);
  expect(listed.toSorted()).toEqual(all.toSorted());
  expect(new Set(listed).size).toBe(all.length);
  await lucia.api.products.update({ ...show, feedLength: null });
  expect((await read()).feed!.items).toHaveLength(all.length);
  for (const feedLength of [9, 501, 1.5])
    await expect(lucia.api.products.update({ ...show, feedLength })).rejects.toThrow();
});
