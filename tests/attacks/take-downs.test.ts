import { eq } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { operatorActions } from '~/db/schema/operators';
import { products } from '~/db/schema/products';
import { creatorCommands } from '~/server/admin/creator-commands';
import { restoreCommands, takeDownCommands } from '~/server/admin/take-down-commands';
import { previewPath } from '~/server/base/public-paths';
import { DAYS, earlier, later } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { announceEpisode } from '~/server/domain/episodes/announce-episode';
import { uploadTranscript } from '~/server/domain/episodes/transcripts';
import type { PageAddress } from '~/server/domain/pages/find-page';
import { listSiteMap, type SiteMapKind } from '~/server/domain/pages/site-map';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const server = await attackedServer();
const { runtime, lucia, ada, tom, visitor, ctxOf, visitorCtx, make, paidPodcast, episodes, sendRaw } = server;
const { db } = runtime;
const CREATOR_HOST = `staging-${lucia.domain}.${APP_HOST}`;
const secret = episodes.paidPodcast.private;
const open = episodes.paidPodcast.public;
const kind = 'podcast' as const;

const admin = { ctx: systemCtx(runtime, 'operator'), env: {} as never, operator: { name: 'olga' } };
const STATEMENT = { ground: 'law', reason: 'Copied from somebody else' };
const takeDown = (target: string, id: number, options = STATEMENT) =>
  takeDownCommands[target]!.run(admin, [`${id}`], options);
const restore = (target: string, id: number) => restoreCommands[target]!.run(admin, [`${id}`], {});
const topicsTo = async (userId: number) =>
  (await db.select().from(outbox).where(eq(outbox.userId, userId)).orderBy(outbox.createdAt))
    .map(({ topic }) => topic)
    .filter((topic) => topic !== 'verify_email')
    .sort();

async function get(url: string, { token, host = APP_HOST }: { token?: string; host?: string } = {}) {
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  const login = token ? [path.startsWith('/api/') ? `Authorization: Token ${token}` : `Cookie: token=${token}`] : [];
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...login];
  const { status, body } = await sendRaw(lines.join('\r\n'), '\r\n\r\n');
  return { status, body: Buffer.from(body, 'latin1').toString() };
}

const give = (productId: number, userId = tom.id) =>
  transact(visitorCtx(), (tx) => grantAccess(tx, { userId, productId, source: 'subscription' }));
await give(paidPodcast.id);
await uploadTranscript(ctxOf(lucia), { id: secret.id, kind, fileName: 'a.txt', content: btoa('Words') });
const announceEpisodeNow = () =>
  announceEpisode(admin.ctx, { episodeId: secret.id, until: later(server.clock.now, DAYS(1)).toISOString(), after: 0 });
const links = await tom.api.feeds.privateLinks({ productId: paidPodcast.id });
const privateFeed = links.find(({ app }) => app === 'overcast')!.url;
const everything = (await tom.api.feeds.privateLinks({ productId: null }))[0]!.url;
const before = (await get(privateFeed)).body;
const signedAudio = parseRssFeed(before).items!.find(({ title }) => title === secret.name)!.enclosures![0]!.url!;
const [, transcript = ''] = /url="([^"]*\/transcripts\/[^"]+)"/.exec(before)!;
const preview = (await lucia.api.episodes.previewLink({ id: secret.id, kind })).url;
const previewAudio = `/audio/${secret.id}/x.mp3?preview=${preview.slice(preview.indexOf(previewPath('')) + previewPath('').length)}`;

const SHOW = `/p/${paidPodcast.slug}`;
const page = (path: string) => (token?: string) =>
  get(path, { token, host: CREATOR_HOST }).then(({ status }) => status);
const app = (path: string) => (token?: string) => get(path, { token }).then(({ status }) => status);
const lists =
  (path: string, words: string, host = APP_HOST) =>
  async (token?: string) =>
    (await get(path, { token, host })).body.includes(words) ? 200 : 404;

/**
 * The status for an address in the site maps: 200 if they list it, read past the cache, which keeps the files for an
 * hour.
 */
const inSiteMap = (listed: SiteMapKind, isIt: (page: PageAddress) => boolean) => async () => {
  for await (const pages of listSiteMap(runtime, { kind: listed, creatorId: null, part: 1 }))
    if (pages.some(isIt)) return 200;
  return 404;
};

/** The requests for an episode by visitors and by a subscriber, with their statuses. */
const OF_EPISODE = {
  page: page(`${SHOW}/${secret.slug}`),
  audio: app(`/audio/${secret.id}/x.mp3`),
  'signed audio': app(signedAudio),
  'preview audio': app(previewAudio),
  transcript: app(transcript),
  REST: app(`/api/episodes/${secret.id}/`),
  'REST play': app(`/api/podcast-episode-play/${secret.id}/`),
  'REST list': lists(`/api/podcasts/${paidPodcast.id}/episodes_list/`, `"id":${secret.id},`),
  'show page': lists(SHOW, `${SHOW}/${secret.slug}`, CREATOR_HOST),
  'private feed': lists(privateFeed, `/${secret.id}/`),
  'combined feed': lists(everything, `/${secret.id}/`),
  embed: app(`/embed/${secret.id}`),
  oEmbed: app(`/oembed?url=${encodeURIComponent(`http://${CREATOR_HOST}${SHOW}/${secret.slug}`)}`),
  'site map': inSiteMap(
    'episodes',
    ({ slug, episodeSlug }) => slug === paidPodcast.slug && episodeSlug === secret.slug,
  ),
};
const OF_SHOW = {
  page: page(SHOW),
  'episode page': page(`${SHOW}/${open.slug}`),
  feed: page(`${SHOW}/feed.xml`),
  audio: app(`/audio/${open.id}/x.mp3`),
  'private audio': app(`/audio/${secret.id}/x.mp3`),
  'signed audio': app(signedAudio),
  'preview audio': app(previewAudio),
  'private feed': app(privateFeed),
  'combined feed': lists(everything, `/${secret.id}/`),
  REST: app(`/api/podcasts/${paidPodcast.id}/`),
  'REST episodes': app(`/api/podcasts/${paidPodcast.id}/episodes_list/`),
  'REST play': app(`/api/podcast-episode-play/${open.id}/`),
  embed: app(`/embed/p/${paidPodcast.id}`),
  'creator page': lists('/', SHOW, CREATOR_HOST),
  'site map': inSiteMap('shows', ({ slug }) => slug === paidPodcast.slug),
};
const OUTSIDERS = { visitor: undefined, subscriber: tom.token, 'another creator': ada.token };

async function statuses(doors: Record<string, (token?: string) => Promise<number>>, token?: string) {
  const found: Record<string, number> = {};
  for (const [name, door] of Object.entries(doors)) found[name] = await door(token);
  return found;
}
const closed = (found: Record<string, number>) =>
  Object.fromEntries(
    Object.keys(found).map((name) => [name, /page$/.test(name) && !/show|creator/.test(name) ? 451 : 404]),
  );

test('a taken-down episode is missing for all but its team at each door, and back when it is restored', async () => {
  const earlier = await statuses(OF_EPISODE, tom.token);
  const asVisitor = await statuses(OF_EPISODE);
  expect(new Set(Object.values(earlier))).toEqual(new Set([200]));

  await takeDown('episode', secret.id);
  for (const [who, token] of Object.entries(OUTSIDERS))
    await expect.poll(() => statuses(OF_EPISODE, token), { message: who }).toEqual(closed(earlier));
  expect((await get(`${SHOW}/${secret.slug}`, { host: CREATOR_HOST })).body).toContain(
    'Este contenido no está disponible',
  );
  await expect(tom.api.episodes.get({ id: secret.id, kind })).toFailWith('episode.not_found');
  // the rest of the show is unchanged
  expect([(await get(privateFeed)).status, (await get(`/audio/${open.id}/x.mp3`)).status]).toEqual([200, 200]);

  const { takeDown: statement, url } = await lucia.api.episodes.get({ id: secret.id, kind });
  expect([statement, url]).toEqual([{ ...STATEMENT, isWhole: false }, expect.any(String)]);
  expect((await get(`/audio/${secret.id}/x.mp3`, { token: lucia.token })).status).toBe(200);
  await restore('episode', secret.id);
  await expect.poll(() => statuses(OF_EPISODE, tom.token)).toEqual(earlier);
  await expect.poll(() => statuses(OF_EPISODE)).toEqual(asVisitor);
});

test('a taken-down show is missing with all its episodes, even for those who have paid', async () => {
  const earlier = await statuses(OF_SHOW, tom.token);
  const asVisitor = await statuses(OF_SHOW);
  expect(new Set(Object.values(earlier))).toEqual(new Set([200]));

  await takeDown('show', paidPodcast.id);
  for (const [who, token] of Object.entries(OUTSIDERS))
    await expect.poll(() => statuses(OF_SHOW, token), { message: who }).toEqual(closed(earlier));
  await expect(tom.api.products.get({ id: paidPodcast.id, kind })).toFailWith('product.not_found');
  await expect(tom.api.feeds.privateLinks({ productId: paidPodcast.id })).toFailWith('product.not_found');
  expect((await lucia.api.products.list({})).items.map(({ id }) => id)).toContain(paidPodcast.id);
  expect((await lucia.api.products.forEditing({ id: paidPodcast.id, kind })).takeDown).toMatchObject(STATEMENT);
  const found = await visitor.pages.creator({ domain: lucia.domain });
  expect(JSON.stringify(found)).not.toContain(STATEMENT.reason);

  await restore('show', paidPodcast.id);
  await expect.poll(() => statuses(OF_SHOW, tom.token)).toEqual(earlier);
  await expect.poll(() => statuses(OF_SHOW)).toEqual(asVisitor);
});

test('the team can neither publish, copy nor unarchive a taken-down show or episode', async () => {
  const copy = { id: open.id, kind };
  await takeDown('episode', open.id);
  await lucia.api.episodes.hold(copy);
  await expect(lucia.api.episodes.release({ ...copy, releaseDate: null })).toFailWith('episode.taken_down');
  await expect(lucia.api.episodes.duplicate(copy)).toFailWith('episode.taken_down');
  await restore('episode', open.id);
  await takeDown('show', paidPodcast.id);
  await expect(lucia.api.episodes.release({ ...copy, releaseDate: null })).toFailWith('product.taken_down');
  await lucia.api.products.archive({ id: paidPodcast.id, kind });
  await expect(lucia.api.products.unarchive({ id: paidPodcast.id, kind })).toFailWith('product.taken_down');
  await restore('show', paidPodcast.id);
  await lucia.api.products.unarchive({ id: paidPodcast.id, kind });
  await lucia.api.episodes.release({ ...copy, releaseDate: null });
});

test('one of two operators at once wins; each step is recorded, and the owner is told', async () => {
  const bea = await make.creator({ language: 'es' } as never);
  const show = await make.product(bea, { name: 'Eco' });
  const results = await Promise.allSettled([takeDown('show', show.id), takeDown('show', show.id)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(takeDown('show', show.id)).toFailWith('console.nothing_to_do');
  await restore('show', show.id);
  await expect(restore('show', show.id)).toFailWith('console.nothing_to_do');
  await expect(takeDown('show', 9_999_999)).toFailWith('product.not_found');
  await expect(takeDown('episode', 9_999_999)).toFailWith('episode.not_found');
  await expect(restore('creator', 9_999_999)).toFailWith('creator.not_found');
  for (const wrong of [
    { ...STATEMENT, ground: 'mood' },
    { ...STATEMENT, reason: ' ' },
  ])
    await expect(takeDown('show', show.id, wrong)).rejects.toThrow('expected --ground');

  const trail = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, `show/${show.id}`))
    .orderBy(operatorActions.id);
  expect(trail.map(({ action, details }) => [action, details])).toEqual([
    ['take_downs.taken_down', STATEMENT],
    ['take_downs.restored', {}],
  ]);
  expect(await topicsTo(bea.id)).toEqual(['take_down_lifted', 'taken_down']);
});

test('a creator is taken down with all shows; those that were taken down before stay so after the restoration', async () => {
  const bea = await make.creator();
  const [first, second] = [await make.product(bea, { slug: 'uno' }), await make.product(bea, { slug: 'dos' })];
  const [episode] = await make.episodes(second, 1, () => ({ status: 'on_hold' }));
  const stateOf = async () =>
    (await db.select().from(products).where(eq(products.creatorId, bea.creatorId)).orderBy(products.id)).map(
      ({ takenDownAt }) => takenDownAt !== null,
    );
  await takeDown('show', first.id);
  await takeDown('creator', bea.creatorId);
  await expect(takeDown('creator', bea.creatorId)).toFailWith('console.nothing_to_do');
  expect(await stateOf()).toEqual([true, true]);
  expect(await takeDownCommands.list!.run(admin, [], {})).toContainEqual(
    expect.objectContaining({ target: 'show', id: second.id, reason: STATEMENT.reason }),
  );
  await restore('creator', bea.creatorId);
  expect(await stateOf()).toEqual([true, false]);
  await bea.api.episodes.release({ id: episode!.id, releaseDate: null });
  expect(await topicsTo(bea.id)).toEqual(['take_down_lifted', 'taken_down', 'taken_down']);
});

test('a creator who is taken down makes no new show; a stop for another reason outlasts the restoration', async () => {
  const bea = await make.creator();
  const show = await make.product(bea);
  const newShow = async () => bea.api.products.create(await make.productInput(bea));
  const before = { ...admin.ctx, now: () => earlier(server.clock.now, DAYS(1)) };
  const stop = creatorCommands['stop-publishing']!;
  await stop.run({ ...admin, ctx: before }, [`${bea.creatorId}`], { reason: 'Copied episodes' });
  await takeDown('creator', bea.creatorId);
  await expect(newShow()).toFailWith('creator.publishing_stopped');
  await restore('creator', bea.creatorId);
  expect((await visitor.pages.product({ domain: bea.domain, slug: show.slug })).moved).toBeNull();
  await expect(newShow()).toFailWith('creator.publishing_stopped');
  await creatorCommands['allow-publishing']!.run(admin, [`${bea.creatorId}`], {});
  await newShow();
});

test('no follower is told of an episode that was taken down before its emails were sent', async () => {
  await takeDown('episode', secret.id);
  const told = (await topicsTo(tom.id)).length;
  await announceEpisodeNow();
  expect(await topicsTo(tom.id)).toHaveLength(told);
  await restore('episode', secret.id);
  await announceEpisodeNow();
  expect(await topicsTo(tom.id)).toHaveLength(told + 1);
});
