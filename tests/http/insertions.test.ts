import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { renditionDownloads } from '~/db/schema/renditions';
import { SESSION_COOKIE } from '~/server/auth/sessions';
import { HOURS, later } from '~/server/base/time';
import { releaseReservations } from '~/server/domain/insertions/release-reservations';
import { systemCtx } from '~/server/runtime/runtime';
import { insertionDoor, audioPath as pathOf, range } from '../support/insertion-door';
import { seededInts } from '../support/seeded-ints';

const { runtime, clock, noon, make, creator, soundEpisode, clip, campaign, ...stage } = await insertionDoor();
const { ask, play, newListener, changed, counted, restart, campaignRow, impressionsOf, pauseCampaign } = stage;

function sponsored(over: Parameters<typeof campaign>[2] = {}) {
  clock.now = noon;
  return stage.sponsored(over);
}

test('an episode without campaigns is sent as it is, without a redirect', async () => {
  const episode = await soundEpisode(await make.product(creator));

  const { status, body, headers } = await ask(pathOf(episode));

  expect([status, headers.etag, body.equals(episode.body)]).toEqual([200, `"${episode.audioSha256}"`, true]);
});

test('a listener is led to a rendition with the clip, which answers HEAD, ranges and conditions', async () => {
  const { episode, spot } = await sponsored();

  const whole = await play(pathOf(episode, '?from=old'));
  const head = await ask(whole.path, { method: 'HEAD' });
  const part = await ask(whole.path, range(1000, 1999));
  const { etag } = whole.headers;

  expect(whole.path).toMatch(/^\/audio\/\d+\/[0-9a-f]{32}\/name\.mp3\?from=old$/);
  expect([whole.status, whole.body.includes(spot.body)]).toEqual([200, true]);
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([
    200,
    String(whole.body.length),
    etag,
  ]);
  expect([part.status, part.body.equals(whole.body.subarray(1000, 2000))]).toEqual([206, true]);
  const ifRange = (value: string) => ask(whole.path, { headers: { range: 'bytes=5-9', 'if-range': value } });
  expect((await ifRange(etag!)).status).toBe(206);
  expect((await ifRange('"other"')).status).toBe(200);
  expect((await ask(whole.path, { headers: { 'if-none-match': etag! } })).status).toBe(304);
});

test('a listener who has begun keeps the same bytes across changes, a restart and midnight, for 24 hours', async () => {
  const { episode, campaign: row } = await sponsored();
  clock.now = later(noon, HOURS(11));
  const address = newListener();
  const first = await play(pathOf(episode), { address, ...range(0, 99_999) });
  await counted();

  await pauseCampaign(row.id);
  restart();
  clock.now = later(noon, HOURS(20));
  const second = await play(pathOf(episode), { address, ...range(100_000, 999_999) });
  const other = await play(pathOf(episode), { address: newListener() });

  const whole = await ask(first.path);
  expect(second.path).toBe(first.path);
  expect(Buffer.concat([first.body, second.body]).equals(whole.body)).toBe(true);
  expect(other.body.equals(episode.body)).toBe(true);

  clock.now = later(noon, HOURS(36));
  expect((await play(pathOf(episode), { address })).body.equals(episode.body)).toBe(true);
  // an app that continues the next day asks for what it has
  const resumed = await play(pathOf(episode), {
    address,
    headers: { range: 'bytes=100000-', 'if-range': first.headers.etag! },
  });
  expect([resumed.status, resumed.body.equals(second.body)]).toEqual([206, true]);
});

test('a listener who has begun the file itself keeps it when a campaign starts', async () => {
  clock.now = noon;
  const show = await make.product(creator);
  const episode = await soundEpisode(show);
  const address = newListener();
  const first = await play(pathOf(episode), { address, ...range(0, 99_999) });
  await counted();

  await campaign(show, [await clip(creator)]);
  changed();
  const second = await play(pathOf(episode), { address, ...range(100_000, 999_999) });
  const other = await play(pathOf(episode), { address: newListener() });

  expect(Buffer.concat([first.body, second.body]).equals(episode.body)).toBe(true);
  expect(other.body.length).toBeGreaterThan(episode.body.length);
  // without a counted byte, the condition of the request says what the client has
  const conditional = { range: 'bytes=100000-', 'if-range': `"${episode.audioSha256}"` };
  expect((await play(pathOf(episode), { address: newListener(), headers: conditional })).body.equals(second.body)).toBe(
    true,
  );
});

test('the team and previews hear the episode as it is', async () => {
  const { episode } = await sponsored();
  const cookie = `${SESSION_COOKIE}=${creator.token}`;

  const owner = await play(pathOf(episode), { address: newListener(), headers: { cookie } });

  expect(owner.body.equals(episode.body)).toBe(true);
});

test('each door has its own campaigns', async () => {
  const { episode } = await sponsored({ inPublicFeed: false, inWebPlayer: true });
  const referer = runtime.urls.app('/en/discover');

  const feed = await play(pathOf(episode), { address: newListener() });
  const player = await play(pathOf(episode), { address: newListener(), headers: { referer } });
  const forged = await play(pathOf(episode, '?feed=1-forged'), { address: newListener() });

  expect(feed.body.equals(episode.body)).toBe(true);
  expect(player.body.length).toBeGreaterThan(episode.body.length);
  expect(forged.body.equals(episode.body)).toBe(true);
});

test('access is checked again at the rendition', async () => {
  const { episode } = await sponsored();
  const { path } = await play(pathOf(episode), { address: newListener() });
  const other = await soundEpisode(await make.product(creator));

  const elsewhere = await ask(path.replace(String(episode.id), String(other.id)));
  await runtime.db.update(episodes).set({ status: 'on_hold' }).where(eq(episodes.id, episode.id));
  changed();

  expect((await ask(path)).status).toBe(404);
  expect([elsewhere.status, elsewhere.headers.location]).toEqual([302, pathOf(other)]);
});

test('an impression counts once per download, when all bytes of the clip were sent and the download counts', async () => {
  const { episode, campaign: row } = await sponsored();
  const address = newListener();
  const { path, headers } = await play(pathOf(episode), { address, ...range(0, 1) });
  const bytes = Number(/\/(\d+)$/.exec(headers['content-range']!)![1]);
  const spot = 40_000;

  await ask(path, { address, ...range(0, spot) });
  await counted();
  expect(await impressionsOf(row.id)).toEqual([]);
  // a minute is longer than the episode, so all of its audio is needed
  await ask(path, { address, ...range(spot, bytes - 2) });
  await counted();
  expect(await impressionsOf(row.id)).toEqual([]);
  for (let i = 0; i < 3; i++) await ask(path, { address, ...range(spot, bytes - 1) });
  await ask(path, { address: newListener(), agent: 'curl/8.5.0' });
  await counted();

  const day = noon.toISOString().slice(0, 10);
  expect(await impressionsOf(row.id)).toMatchObject([
    { day, episodeId: episode.id, country: 'ZZ', app: 'antennapod', impressions: 1 },
  ]);
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 1, reserved: 0 });
});

test('500 parallel downloads never exceed a cap, and what is not used is returned', async () => {
  const { episode, spot, campaign: row } = await sponsored({ cap: 100 });
  const addresses = Array.from({ length: 500 }, newListener);

  const paths = await Promise.all(
    addresses.map(async (address) => (await ask(pathOf(episode), { address })).headers.location),
  );

  const chosen = paths.flatMap((path, i) => (path ? [{ path, address: addresses[i]! }] : []));
  expect(chosen).toHaveLength(100);
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 0, reserved: 100 });
  const bodies = await Promise.all(chosen.slice(0, 60).map(({ path, address }) => ask(path, { address })));
  await counted();
  expect(bodies.every(({ body }) => body.includes(spot.body))).toBe(true);
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 60, reserved: 40 });

  clock.now = later(noon, HOURS(25));
  await releaseReservations(systemCtx(runtime, 'insertions.release-reservations'));
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 60, reserved: 0 });
  expect(await runtime.db.$count(renditionDownloads, eq(renditionDownloads.episodeId, episode.id))).toBe(0);
  // a late listener without a reservation counts while there is room
  await ask(chosen[60]!.path, { address: chosen[60]!.address });
  await counted();
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 61, reserved: 0 });
  // of two who come together, the second one is not counted, and keeps nobody else from it
  await runtime.db.update(insertionCampaigns).set({ cap: 62 }).where(eq(insertionCampaigns.id, row.id));
  await Promise.all(chosen.slice(61, 63).map(({ path, address }) => ask(path, { address })));
  await counted();
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 62, reserved: 0 });
});

test('a paced campaign reserves only the share of a day', async () => {
  const day = (after: number) =>
    later(noon, HOURS(24 * after))
      .toISOString()
      .slice(0, 10);
  const { episode, campaign: row } = await sponsored({ cap: 30, isPaced: true, firstDay: day(0), lastDay: day(9) });

  for (let i = 0; i < 10; i++) await ask(pathOf(episode), { address: newListener() });

  expect(await campaignRow(row.id)).toMatchObject({ reserved: 3 });
});

test('random ranges across five changes of a campaign are bytes of one rendition for each listener', async () => {
  const { show, episode, campaign: row } = await sponsored();
  const spots = [await clip(creator, { seed: 5 }), await clip(creator, { seconds: 1, seed: 6 })];
  const nextInt = seededInts(36);
  const wholes = new Map<string, Buffer>();
  const wholeAt = async (path: string) => wholes.get(path) ?? wholes.set(path, (await ask(path)).body).get(path)!;
  const people = Array.from({ length: 30 }, () => ({ address: newListener(), paths: new Set<string>(), wrong: 0 }));
  const changes = [
    () => campaign(show, [spots[0]!], { place: 'post' }),
    () => pauseCampaign(row.id),
    () => campaign(show, spots, { kind: 'promo' }),
    () =>
      runtime.db
        .update(insertionCampaigns)
        .set({ silenceBeforeMs: 500 })
        .where(eq(insertionCampaigns.productId, show.id)),
    () =>
      runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.productId, show.id)),
  ];

  for (const change of [...changes, async () => {}]) {
    for (const person of people.filter(() => nextInt(3) > 0)) {
      const start = nextInt(200_000);
      const end = start + nextInt(60_000);
      const { path, body } = await play(pathOf(episode), { address: person.address, ...range(start, end) });
      person.paths.add(path);
      if (!(await wholeAt(path)).subarray(start, end + 1).equals(body)) person.wrong += 1;
    }
    await counted();
    await change();
    changed();
  }

  expect(people.filter(({ paths, wrong }) => paths.size > 1 || wrong > 0)).toEqual([]);
  expect(new Set(people.flatMap(({ paths }) => [...paths])).size).toBeGreaterThan(3);
  const [sums] = await runtime.db.execute(sql`
    select c.impressions, coalesce(sum(i.impressions), 0)::int as days from insertion_campaigns c
    left join impression_days i on i.campaign_id = c.id where c.id = ${row.id} group by 1`);
  expect(sums!.impressions).toBe(sums!.days);
});
