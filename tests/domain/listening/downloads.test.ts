import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { recordDelivery } from '~/server/domain/listening/downloads';
import { openRecorders } from '~/server/domain/listening/recorders';
import { cast } from '../../support/cast';
import {
  twoMinuteEpisode as anEpisode,
  delivery,
  downloadsOf,
  MINUTE,
  PHONE,
  part as partOf,
} from '../../support/deliveries';

const { runtime, url, make, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2025-12-01', 6)`);
const HALF = MINUTE;
const twoMinuteEpisode = () => anEpisode(make);
const counted = (episodeId: number) => downloadsOf(db, episodeId);

const once = { total: 1, days: 1, rows: 1 };
const never = { total: 0, days: 0, rows: 0 };

test('a listener who fetches a whole file three times counts as one download', async () => {
  const episode = await twoMinuteEpisode();

  for (let i = 0; i < 3; i++) await recordDelivery(visitorCtx(), delivery(episode));

  expect(await counted(episode.id)).toEqual(once);
});

test('a download counts when all ranges together contain a minute of audio after the head', async () => {
  const episode = await twoMinuteEpisode();
  const part = (from: number, to: number) => recordDelivery(visitorCtx(), partOf(episode, from, to));

  await part(0, 400_000);
  await part(100_000, 500_000);
  await part(1_000_000, 1_400_000);
  expect(await counted(episode.id)).toEqual(never);

  await part(500_000, 500_000 + HALF - 400_000 - 500_000);
  expect(await counted(episode.id)).toEqual(once);
  await part(500_000, episode.bytes);
  expect(await counted(episode.id)).toEqual(once);
});

test.each([
  ['the head and one byte less than a minute of audio', { delivered: { from: 0, to: HALF - 1 } }, never],
  ['the head and a minute of audio', { delivered: { from: 0, to: HALF } }, once],
  ['a request that the client aborted before the minute', { delivered: { from: 0, to: HALF - 100_000 } }, never],
])('one-minute rule: %s', async (_, over, expected) => {
  const episode = await twoMinuteEpisode();

  await recordDelivery(visitorCtx(), delivery(episode, over));

  expect(await counted(episode.id)).toEqual(expected);
});

test.each([
  ['HEAD', { method: 'HEAD' }],
  ['304', { status: 304 }],
  ['416', { status: 416 }],
  ['a probe of two bytes', { status: 206, requested: { from: 0, to: 2 }, delivered: { from: 0, to: 2 } }],
  ['a bot', { client: { address: PHONE.address, userAgent: 'Googlebot/2.1' } }],
  ['no user agent', { client: { address: PHONE.address, userAgent: '' } }],
])('%s stores nothing', async (_, over) => {
  const episode = await twoMinuteEpisode();

  await recordDelivery(visitorCtx(), delivery(episode, over));

  const rows = await db.execute(sql`select 1 from downloads where episode_id = ${episode.id}`);
  expect(rows).toHaveLength(0);
});

test('listeners are distinguished by network and user agent, and an IPv6 /64 is one network', async () => {
  const episode = await twoMinuteEpisode();
  const clients = [
    PHONE,
    { ...PHONE, userAgent: 'Podcasts/1575' },
    { ...PHONE, address: '203.0.113.10' },
    { ...PHONE, address: '2001:db8:1:2::1' },
    { ...PHONE, address: '2001:db8:1:2:ffff::2' },
    { ...PHONE, address: '2001:db8:1:3::1' },
  ];

  await Promise.all(clients.map((client) => recordDelivery(visitorCtx(), delivery(episode, { client }))));

  expect(await counted(episode.id)).toEqual({ total: 5, days: 5, rows: 5 });
});

test('halves delivered by two processes at the same time count as one download', async () => {
  const episode = await twoMinuteEpisode();
  const other = createDb(url, { max: 2 });
  const halves = [
    { from: 0, to: 600_000 },
    { from: 600_000, to: 1_200_000 },
  ];

  const processes = [db, other.db].map((each) => ({ ...visitorCtx(), db: each, recorders: openRecorders(each) }));
  for (let round = 0; round < 20; round++) {
    const client = { ...PHONE, address: `198.51.100.${round}` };
    await Promise.all(
      processes.map((ctx, i) =>
        recordDelivery(ctx, delivery(episode, { status: 206, requested: halves[i]!, delivered: halves[i]!, client })),
      ),
    );
  }
  await other.close();

  expect(await counted(episode.id)).toEqual({ total: 20, days: 20, rows: 20 });
});

test('no IP address is stored', async () => {
  const episode = await twoMinuteEpisode();

  await recordDelivery(visitorCtx(), delivery(episode));

  const [row] = await db.execute(
    sql`select downloads.*::text as written from downloads where episode_id = ${episode.id}`,
  );
  expect(String(row?.written)).not.toContain('203.0.113');
});
