import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { rssImports } from '~/db/schema/rss-import';
import type { FeedFetcher } from '../adapters/feed-fetcher/port';
import { DAYS, earlier } from '../base/time';
import { recordDelivery } from '../domain/listening/downloads';
import { lookupEnclosure } from '../domain/listening/enclosure';
import { lookupRedirectOf } from '../domain/moving/redirects/queries';
import { redirectFeed } from '../domain/moving/redirects/redirect-feed';
import { proveByFeed } from '../domain/rss-import/answer-import';
import { acknowledgeImport } from '../domain/rss-import/complete-import';
import { runImport } from '../domain/rss-import/import-feed';
import { checkOldFeed } from '../domain/rss-import/poll-old-feed';
import { latestImport } from '../domain/rss-import/queries';
import { requestImport } from '../domain/rss-import/request-feed-import';
import { pollOldFeed, runImport as runImportJob } from '../queue/jobs/rss-import';
import type { JobQueue } from '../queue/queue';
import type { Ctx } from '../runtime/ctx';
import { type Runtime, systemCtx } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';
import { checkEpisodes } from './episodes';
import { drawCover } from './pictures';
import { type Compose, synthesizeTune } from './tunes';

/** Has imported a show from another host, all of its episodes except one, and follows its old feed. */
const DONE = 'lucia@altavoz.example';
/** Has requested an import, which waits for the answer of the feed's owner. */
const WAITING = 'noa@altavoz.example';

const LISTENERS = 16;
const HOST = 'https://feeds.example';
const COVER = `${HOST}/cover.jpg`;
const EPISODES = [
  { name: 'La caldera', seconds: 24, daysAgo: 420 },
  { name: 'El ascensor', seconds: 20, daysAgo: 390 },
  { name: 'La nevera, de noche', seconds: 28, daysAgo: 360 },
];
/** A format that the demo can't convert on every machine. */
const UNREADABLE =
  '<item><title>El piloto</title><guid>pilot</guid><enclosure url="https://feeds.example/pilot.wma" type="audio/x-ms-wma" length="9000000"/></item>';

/** Imports feeds from another host, which exists only in this file. */
export async function seedImport(given: Runtime, cast: readonly DemoPerson[], compose: Compose): Promise<void> {
  const done = cast.find(({ email }) => email === DONE);
  const waiting = cast.find(({ email }) => email === WAITING);
  if (done) await importShow(given, done, compose);
  if (waiting) await askForImport(given, waiting);
}

async function importShow(given: Runtime, person: DemoPerson, compose: Compose): Promise<void> {
  const host = { title: 'Aparatos de mi casa', code: '', compose };
  const runtime = atHost(given, host);
  const ctx = await actAs(runtime, person);
  const latest = await latestImport(ctx);
  const { id, proofCode } =
    latest ?? (await requestImport(ctx, { url: `${HOST}/feed.xml`, proof: 'feed', follow: true, isPrivate: false }));
  host.code = proofCode;
  if (latest?.status !== 'in_progress' && latest?.status !== 'imported') await proveByFeed(ctx, { id });
  await runToEnd(runtime, id);
  await acknowledgeImport(ctx, { id });
  const imported = await latestImport(ctx);
  if (imported?.productId) {
    await checkOldFeed(ctx, { productId: imported.productId });
    await seedMoves(ctx, imported.productId);
  }
}

/** Downloads of apps that have switched, and of some that still use the former host's redirect. */
async function seedMoves(ctx: Ctx, productId: number): Promise<void> {
  const rows = await ctx.db.select({ id: episodes.id }).from(episodes).where(eq(episodes.productId, productId));
  for (const { id } of rows) {
    const found = await lookupEnclosure(ctx, id);
    if (!found) continue;
    const { episode } = found;
    const delivered = { from: 0, to: episode.bytes };
    const common = { episode, method: 'GET', status: 200, requested: null, delivered };
    const deliveries = Array.from({ length: LISTENERS }, (_, i) => ({
      ...common,
      client: { address: `192.0.2.${i}`, userAgent: 'AntennaPod/3.4.0' },
      source: i % 4 === 0 ? ('former_host' as const) : ('feed' as const),
    }));
    await Promise.all(deliveries.map((delivery) => recordDelivery(ctx, delivery)));
  }
}

/** Redirects a show that has left for another host. */
export async function seedRedirect(given: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const title = 'Maquetas de 2019';
  const person = cast.find(({ email }) => email === DONE);
  const [show] = await given.db.select({ id: products.id }).from(products).where(eq(products.name, title)).limit(1);
  if (!person || !show) return;
  const ctx = await actAs(atHost(given, { title, code: '' }), person);
  if (!(await lookupRedirectOf(ctx, show.id)))
    await redirectFeed(ctx, { id: show.id, kind: 'podcast', url: `${HOST}/maquetas.xml` });
}

async function runToEnd(runtime: Runtime, importId: number): Promise<void> {
  const system = systemCtx(runtime, runImportJob.name);
  for (;;) {
    const [row] = await runtime.db.select().from(rssImports).where(eq(rssImports.id, importId));
    if (row?.status !== 'in_progress') return;
    await runImport(system, { importId, step: row.step });
    if (row.productId) await checkEpisodes(system, row.productId);
    // a worker may have been checking the same audio
    await setTimeout(100);
  }
}

async function askForImport(given: Runtime, person: DemoPerson): Promise<void> {
  const ctx = await actAs(atHost(given, { title: 'Letters from the Coast', code: '' }), person);
  if (await latestImport(ctx)) return;
  await requestImport(ctx, { url: `${HOST}/feed.xml`, proof: 'email', follow: false, isPrivate: false });
}

type Host = { title: string; code: string; compose?: Compose };

/** A runtime that fetches from the host. Steps of imports and polls run in this process instead of in the worker. */
function atHost(given: Runtime, host: Host): Runtime {
  return { ...given, queue: withoutSteps(given.queue), ports: { ...given.ports, fetcher: fetcherOf(given, host) } };
}

function withoutSteps(queue: JobQueue): JobQueue {
  const isStep = ({ name }: { name: string }) => name === runImportJob.name || name === pollOldFeed.name;
  return {
    ...queue,
    joining: (tx) => async (job, payload, options) => {
      if (!isStep(job)) await queue.joining(tx)(job, payload, options);
    },
    joiningAll: (tx) => async (job, payloads, options) => {
      if (!isStep(job)) await queue.joiningAll(tx)(job, payloads, options);
    },
  };
}

function fetcherOf({ ports, now }: Runtime, host: Host): FeedFetcher {
  const { compose = synthesizeTune } = host;
  const common = { movedTo: null, etag: null, lastModified: null };
  return {
    ...ports.fetcher,
    fetch: async ({ url }) => {
      const bytes = url === COVER ? await drawCover('bars', host.title) : Buffer.from(feedOf(host, now()));
      return { ...common, url, contentType: 'application/rss+xml', unchanged: false, bytes };
    },
    download: async (store, { url, key }) => {
      const { name, seconds } = EPISODES[Number(/(\d+)\.mp3$/.exec(url)?.[1])]!;
      const bytes = await compose(name, seconds);
      await store.put(key, bytes, { contentType: 'audio/mpeg' });
      return { url, bytes: bytes.length, sha256: '', contentType: 'audio/mpeg', resumedFrom: 0 };
    },
  };
}

function feedOf({ title, code }: Host, now: Date): string {
  const items = EPISODES.map(
    ({ name, daysAgo }, i) =>
      `<item><title>${name}</title><guid>${i}</guid><pubDate>${earlier(now, DAYS(daysAgo)).toUTCString()}</pubDate><description>Un aparato y su canción.</description><enclosure url="${HOST}/${i}.mp3" type="audio/mpeg" length="180000"/></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>${title}</title>
    <description>Suena lo que suena. ${code}</description><language>es</language><itunes:category text="Music"/><itunes:image href="${COVER}"/>
    <itunes:owner><itunes:email>owner@mail.example</itunes:email></itunes:owner>${items.join('')}${UNREADABLE}</channel></rss>`;
}
