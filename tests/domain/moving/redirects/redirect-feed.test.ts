import { and, eq } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { afterAll, expect, test } from 'vitest';
import { passkeys } from '~/db/schema/logins';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { members } from '~/db/schema/team';
import { deleteDueAccount } from '~/jobs/handlers/deletion';
import { DAYS, HOURS, later } from '~/server/base/time';
import { markConfirmed } from '~/server/domain/accounts/second-factors/second-factor';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { DELETION_LIMITS } from '~/server/limits/accounts';
import { systemCtx } from '~/server/runtime/runtime';
import { attackedServer } from '../../../support/attacked-server';
import { feedOrigin } from '../../../support/feed-origin';
import { PASSWORD } from '../../../support/make';
import '../../../support/matchers';
import { testFetcher } from '../../../support/test-fetcher';

const { runtime, make, clock, visitor, sendRaw, as, ada, tom, ctxOf } = await attackedServer({
  FETCH_ALLOW_LOOPBACK: 'true',
});
const fetcher = testFetcher();
runtime.ports.fetcher = fetcher;
const origin = await feedOrigin();
afterAll(async () => {
  await fetcher.close();
  await origin.close();
});

async function leaving() {
  const creator = await make.creator();
  const product = await make.product(creator, { name: 'Olas', slug: 'olas' });
  const made = await make.episodes(product, 2);
  origin.title = 'Olas';
  origin.channel = '';
  origin.items = made.map(({ guid }) => ({ guid }));
  const ref = { id: product.id, kind: 'podcast' as const };
  const address = { domain: creator.domain, slug: 'olas' };
  return { creator, ref, address, target: { ...ref, url: origin.feedUrl() } };
}

/** Fetches from the complete server, with its cache. */
async function get({ domain }: { domain: string }, query = '') {
  const head = `GET /p/olas/feed.xml${query} HTTP/1.1\r\nHost: staging-${domain}.altavoz.localhost:3000\r\n`;
  const answer = await sendRaw(`${head}Connection: close\r\n\r\n`);
  const header = (name: string) => new RegExp(`^${name}: (.+)$`, 'im').exec(answer.head)?.[1]?.trim();
  return { ...answer, location: header('location'), cache: header('cache-control') };
}

const linkTo = async (email: string): Promise<string> => {
  const rows = await runtime.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, email), eq(outbox.topic, 'feed_redirected')))
    .orderBy(outbox.createdAt);
  return /token=([\w.-]+)/.exec(rows.at(-1)?.text ?? '')?.[1] ?? '';
};

test('the public feed redirects at once, although it was cached, and keeps doing so', async () => {
  const { creator, ref, address, target } = await leaving();
  expect([await get(address), await get(address)].map(({ status }) => status)).toEqual([200, 200]);

  expect(await creator.api.moving.check(target)).toMatchObject({ title: 'Olas', episodes: 2 });
  expect((await get(address)).status).toBe(200);
  await creator.api.moving.redirectFeed(target);

  await expect.poll(async () => (await get(address)).status).toBe(301);
  expect(await get(address)).toMatchObject({ location: target.url, cache: 'no-cache' });
  expect(await get(address, '?page=2')).toMatchObject({ status: 301, location: target.url });
  const stays = await get(address, '?redirect=no');
  expect(stays.status).toBe(200);
  expect(stays.body).toContain(`<itunes:new-feed-url>${target.url}</itunes:new-feed-url>`);
  // other requests do not get the answer that was cached for this one
  expect((await get(address)).status).toBe(301);
  clock.now = later(clock.now, DAYS(1));
  expect(await get(address)).toMatchObject({ status: 301, cache: 'public, max-age=3600' });
  await expect(creator.api.moving.undo(ref)).toFailWith('moving.redirect_final');
  await expect(creator.api.moving.redirectFeed(target)).toFailWith('moving.redirect_final');
});

test('within a day, the studio or the link of the email bring the feed back', async () => {
  const { creator, ref, address, target } = await leaving();
  const versionOf = async () => (await runtime.db.select().from(products).where(eq(products.id, ref.id)))[0]!.version;
  const before = await versionOf();
  await creator.api.moving.redirectFeed(target);
  await creator.api.moving.undo(ref);
  // answers with the show's version are outdated: feeds, their ETags and pages
  expect(await versionOf()).toBe(before + 2);
  expect((await get(address)).status).toBe(200);
  const stale = await linkTo(creator.email);
  clock.now = later(clock.now, HOURS(1));
  await creator.api.moving.redirectFeed(target);
  await expect.poll(async () => (await get(address)).status).toBe(301);

  await expect(visitor.moving.undoByLink({ token: stale })).toFailWith('moving.undo_link_expired');
  const token = await linkTo(creator.email);
  expect(await visitor.moving.undoLink({ token })).toEqual({ show: 'Olas', url: target.url });
  expect((await get(address)).status).toBe(301);
  await visitor.moving.undoByLink({ token });

  expect((await get(address)).status).toBe(200);
  expect(await creator.api.moving.redirect(ref)).toBeNull();
  await expect(visitor.moving.undoByLink({ token })).toFailWith('moving.undo_link_expired');
});

test('another redirect within the day replaces the former one, and so does its link', async () => {
  const { creator, ref, address, target } = await leaving();
  await creator.api.moving.redirectFeed(target);
  const former = await linkTo(creator.email);
  const url = `${origin.url}/elsewhere.xml`;
  origin.answers.set('/elsewhere.xml', (_, response) => void response.writeHead(302, { location: '/feed.xml' }).end());
  clock.now = later(clock.now, HOURS(1));

  await creator.api.moving.redirectFeed({ ...ref, url });

  expect((await renderFeed(runtime, address)).headers.location).toBe(url);
  await expect(visitor.moving.undoByLink({ token: former })).toFailWith('moving.undo_link_expired');
  expect(await visitor.moving.undoLink({ token: await linkTo(creator.email) })).toMatchObject({ url });
});

test('the redirect outlives the show, its former address, and the account', async () => {
  const { creator, ref, address, target } = await leaving();
  await creator.api.moving.redirectFeed(target);
  await creator.api.products.update({ ...ref, slug: 'mareas' });
  const feed = async (slug: string) => {
    const { status, headers } = await renderFeed(runtime, { ...address, slug });
    return [status, headers.location];
  };
  expect(await feed('olas')).toEqual([301, target.url]);
  const token = await linkTo(creator.email);

  await creator.api.products.retire({ ...ref, confirmation: 'Olas' });

  expect(await feed('mareas')).toEqual([301, target.url]);
  await expect(visitor.moving.undoByLink({ token })).toFailWith('moving.undo_link_expired');
  // a new show can't take the address
  expect(await creator.api.products.slugAvailability({ slug: 'mareas' })).toMatchObject({ available: false });
  await creator.api.accounts.requestDeletion({ currentPassword: PASSWORD });
  const start = clock.now;
  clock.now = later(start, DELETION_LIMITS.delay);
  await deleteDueAccount(systemCtx(runtime, 'accounts.delete'), { userId: creator.id });
  expect(await feed('mareas')).toEqual([301, target.url]);
  expect(await feed('olas')).toEqual([301, target.url]);
  expect((await renderFeed(runtime, { ...address, slug: 'mareas', stays: true })).status).toBe(410);
  clock.now = start;
});

test('private feeds and archived shows', async () => {
  const { creator, ref, address, target } = await leaving();
  const subscriber = await make.person();
  await subscriber.api.feeds.follow({ productId: ref.id });
  const links = await subscriber.api.feeds.privateLinks({ productId: ref.id });
  await creator.api.moving.redirectFeed(target);

  const { pathname } = new URL(links[0]!.url);
  const request = `GET ${pathname} HTTP/1.1\r\nHost: altavoz.localhost:3000\r\nConnection: close\r\n\r\n`;
  const { status, body } = await sendRaw(request);
  expect(status).toBe(200);
  expect(body).not.toContain('new-feed-url');
  await creator.api.products.archive(ref);
  expect((await renderFeed(runtime, address)).status).toBe(301);
});

test('an address that is not a feed, or leads back here, is refused by name', async () => {
  const { creator, ref, address, target } = await leaving();
  const check = (url: string) => creator.api.moving.check({ ...ref, url });
  const own = runtime.urls.feed(address.domain, address.slug);
  const answer = (path: string, location: string) =>
    origin.answers.set(path, (_, response) => void response.writeHead(302, { location }).end());
  answer('/loop', own);
  answer('/round', '/loop');

  await expect(check(own)).toFailWith('moving.own_feed');
  await expect(check(`${origin.url}/loop`)).toFailWith('moving.redirect_loop');
  await expect(check(`${origin.url}/round`)).toFailWith('moving.redirect_loop');
  await expect(check(`${origin.url}/audio.mp3`)).toFailWith('import.not_a_feed');
  await expect(check('http://10.0.0.1/feed.xml')).toFailWith('fetch.address_private');
  origin.channel = `<itunes:new-feed-url>${own}</itunes:new-feed-url>`;
  await expect(check(target.url)).toFailWith('moving.redirect_loop');
  origin.channel = '';
  origin.items = [];
  await expect(check(target.url)).toFailWith('import.no_episodes');
  expect(await creator.api.moving.redirect(ref)).toBeNull();
});

test('only the owner redirects a feed', async () => {
  const { creator, ref, target } = await leaving();
  const editor = await make.person();
  await runtime.db.insert(members).values({ creatorId: creator.creatorId, userId: editor.id, role: 'editor' });
  await editor.api.team.switch({ creatorId: creator.creatorId });
  const others = [editor.api, ada.api, tom.api, await as(null)];

  for (const api of others)
    for (const call of [() => api.moving.check(target), () => api.moving.redirectFeed(target)])
      await expect(call()).rejects.toThrow();
  await creator.api.moving.redirectFeed(target);
  for (const api of others) await expect(api.moving.undo(ref)).rejects.toThrow();

  expect(await creator.api.moving.redirect(ref)).toMatchObject({ url: target.url });
});

test('an owner with a second factor must prove it for the redirect, not for the check', async () => {
  const { creator, target } = await leaving();
  const key = { id: `key${creator.id}`, name: 'Key', publicKey: '', counter: 0, transports: [] };
  await runtime.db.insert(passkeys).values({ ...key, userId: creator.id });

  await creator.api.moving.check(target);
  await expect(creator.api.moving.redirectFeed(target)).toFailWith('account.second_factor_required');
  await markConfirmed(ctxOf(creator), creator.token);

  expect(await creator.api.moving.redirectFeed(target)).toMatchObject({ url: target.url });
});

test('the feed that redirects has no row of another show', async () => {
  const { creator, target } = await leaving();
  await creator.api.moving.redirectFeed(target);
  const other = await make.product(creator, { slug: 'otra' });
  await make.episodes(other, 1);

  const { status, body } = await renderFeed(runtime, { domain: creator.domain, slug: 'otra' });

  expect(status).toBe(200);
  expect(parseRssFeed(body.toString()).itunes?.newFeedUrl).toBeUndefined();
  expect(await runtime.db.$count(products, eq(products.id, other.id))).toBe(1);
});
