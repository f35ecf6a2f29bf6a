import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { episodes as episodeTable } from '~/db/schema/episodes';
import { DAYS, later } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { transact } from '~/server/runtime/ctx';
import { attackedServer } from '../support/attacked-server';

const { runtime, clock, lucia, tom, ada, visitor, visitorCtx, make, podcast, paidPodcast, episodes, sendRaw } =
  await attackedServer();
const HOST = 'altavoz.localhost:3000';
const CREATOR_HOST = `staging-${lucia.domain}.${HOST}`;
const secret = episodes.paidPodcast.private;
const inFree = episodes.podcast.private;
const start = clock.now;
const subscription = { userId: tom.id, productId: paidPodcast.id, source: 'subscription' } as const;

const give = (grant: Parameters<typeof grantAccess>[1]) => transact(visitorCtx(), (tx) => grantAccess(tx, grant));
const take = (grant: Parameters<typeof endAccess>[1]) => transact(visitorCtx(), (tx) => endAccess(tx, grant));

async function get(path: string, { token, host = HOST }: { token?: string; host?: string } = {}) {
  const isApi = path.startsWith('/api/');
  const login = token ? [isApi ? `Authorization: Token ${token}` : `Cookie: token=${token}`] : [];
  const { status, head, body } = await sendRaw(
    [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...login].join('\r\n'),
    '\r\n\r\n',
  );
  return { status, head, body: String(body) };
}
const audio = `/audio/${secret.id}/x.mp3`;

test('a grant opens a private episode at every door, and only for its holder', async () => {
  const before = await get(audio, { token: tom.token });
  await give(subscription);

  // the holder asks each door between two other callers, who must not get the holder's answers
  for (const token of [undefined, tom.token, ada.token, tom.token, undefined]) {
    const holds = token === tom.token;
    const [file, one, play, list, product] = [
      await get(audio, { token }),
      await get(`/api/episodes/${secret.id}/`, { token }),
      await get(`/api/podcast-episode-play/${secret.id}/`, { token }),
      await get(`/api/podcasts/${paidPodcast.id}/episodes_list/?type=private`, { token }),
      await get(`/api/podcasts/${paidPodcast.id}/`, { token }),
    ];
    expect([file.status, play.status]).toEqual(holds ? [200, 200] : [404, 403]);
    expect(JSON.parse(one.body)).toMatchObject({ has_access: holds });
    expect(JSON.parse(list.body).results[0]).toMatchObject({
      has_access: holds,
      url: holds ? expect.any(String) : null,
    });
    const status = holds ? 'subscribed' : 'unsubscribed';
    expect(JSON.parse(product.body)).toMatchObject({
      is_subscribed: holds,
      subscription_status: status,
      subscribers_count: null,
    });
    if (holds) expect(file.head).toMatch(/^cache-control: private, no-cache\r$/im);
  }
  expect(before.status).toBe(404);
  const own = await get(`/api/podcasts/${paidPodcast.id}/`, { token: lucia.token });
  expect(JSON.parse(own.body)).toMatchObject({ is_subscribed: false, subscribers_count: 1 });
});

test('caches keep the public pages of a grant holder for no other visitor', async () => {
  await give(subscription);
  const { slug } = secret;
  for (const path of [`/p/${paidPodcast.slug}`, `/p/${paidPodcast.slug}/${slug}`]) {
    const [first, holder, last] = [
      await get(path, { host: CREATOR_HOST }),
      await get(path, { host: CREATOR_HOST, token: tom.token }),
      await get(path, { host: CREATOR_HOST }),
    ];

    expect([first.status, holder.status, last.status]).toEqual([200, 200, 200]);
    expect(holder.body).toContain(`/audio/${secret.id}/`);
    expect([first.body, last.body].join()).not.toContain(`/audio/${secret.id}/`);
    expect(holder.head).toMatch(/^cache-control: private, no-cache\r$/im);
  }
});

test('access ends at once: when it is ended, at its end, and for a deleted grant', async () => {
  await give({ ...subscription, endsAt: later(start, DAYS(30)), renews: true });
  const statuses = [(await get(audio, { token: tom.token })).status];
  const [row] = await runtime.db.select().from(grants).where(eq(grants.userId, tom.id));
  const cancelled = await tom.api.products.get({ id: paidPodcast.id, kind: 'podcast' });

  await give({ ...subscription, endsAt: later(start, DAYS(30)), renews: false });
  const left = await get(`/api/podcasts/${paidPodcast.id}/`, { token: tom.token });
  expect(JSON.parse(left.body)).toMatchObject({
    is_subscribed: true,
    subscription_status: 'unsubscribed',
    access_until: later(start, DAYS(30)).toISOString(),
  });

  clock.now = later(start, DAYS(30));
  statuses.push((await get(audio, { token: tom.token })).status);
  clock.now = start;
  expect(await take(subscription)).toBe(true);
  statuses.push((await get(audio, { token: tom.token })).status);
  expect(await take({ ...subscription, source: 'gift' })).toBe(false);

  expect(statuses).toEqual([200, 404, 404]);
  expect([row!.renews, cancelled.subscriptionStatus, cancelled.accessUntil]).toEqual([true, 'subscribed', null]);
  await expect(tom.api.listening.open({ id: secret.id, kind: 'podcast' })).rejects.toThrow();
});

test('a follow opens the private episodes of a free show only', async () => {
  for (const { id } of [podcast, paidPodcast]) await give({ userId: ada.id, productId: id, source: 'follow' });

  expect((await ada.api.episodes.get({ id: inFree.id })).hasAccess).toBe(true);
  expect((await ada.api.episodes.get({ id: secret.id })).hasAccess).toBe(false);
  await expect(visitor.episodes.get({ id: inFree.id })).rejects.toThrow();
  const neighbours = await ada.api.listening.others({ id: inFree.id, kind: 'podcast' });
  expect(neighbours.total).toBe(2);
});

test('a grant opens neither drafts, deleted episodes nor a retired show', async () => {
  await give(subscription);
  const holder = () => get(audio, { token: tom.token });
  const write = (values: Partial<typeof episodeTable.$inferInsert>) =>
    runtime.db.update(episodeTable).set(values).where(eq(episodeTable.id, secret.id));

  const statuses: number[] = [];
  for (const values of [
    { status: 'on_hold' },
    { status: 'published', deletedAt: start },
    { deletedAt: null },
  ] as const) {
    await write(values);
    statuses.push((await holder()).status);
  }

  expect(statuses).toEqual([404, 404, 200]);
});

test('granting twice changes one row, and a grant that had ended begins again', async () => {
  const gift = { ...subscription, source: 'gift' } as const;
  await give({ ...gift, endsAt: later(start, DAYS(1)) });
  await Promise.all([
    give({ ...gift, endsAt: later(start, DAYS(2)) }),
    give({ ...gift, endsAt: later(start, DAYS(2)) }),
  ]);
  const rows = () => runtime.db.select().from(grants).where(eq(grants.source, 'gift')).orderBy(grants.id);
  expect(await rows()).toMatchObject([{ startsAt: start, endsAt: later(start, DAYS(2)) }]);

  clock.now = later(start, DAYS(3));
  await give(gift);

  expect(await rows()).toMatchObject([{ startsAt: clock.now, endsAt: null }]);
  clock.now = start;
});

test('the API tells only the listener the address of their private feed, which works as long as their access', async () => {
  const path = `/api/podcasts/${paidPodcast.id}/`;
  const feedFor = async (at: string, token?: string) => JSON.parse((await get(at, { token })).body).private_rss_feed;
  const person = await make.person();
  const grant = { ...subscription, userId: person.id };
  const before = await feedFor(path, person.token);
  await give(grant);

  const [url, again] = [await feedFor(path, person.token), await feedFor(path, person.token)];
  const others = [
    ...(await Promise.all([undefined, lucia.token, ada.token].map((token) => feedFor(path, token)))),
    await feedFor(`/api/open-podcast/${paidPodcast.id}/`, person.token),
  ];

  expect([before, ...others]).toEqual([null, null, null, null, null]);
  const links = await person.api.feeds.privateLinks({ productId: paidPodcast.id });
  expect([url, again]).toEqual(Array(2).fill(links.find(({ app }) => app === 'other')!.url));
  const read = async () => (await get(new URL(url).pathname)).body.includes(`/audio/${secret.id}/`);
  expect(await read()).toBe(true);
  await take(grant);
  expect([await feedFor(path, person.token), await read()]).toEqual([null, false]);
});
