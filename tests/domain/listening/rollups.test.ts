import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { episodeTotals } from '~/db/schema/listening';
import type { PlayFacts } from '~/db/values/statistics';
import { earlier, SECONDS } from '~/server/base/time';
import { recordDelivery } from '~/server/domain/listening/downloads';
import { recordListen } from '~/server/domain/listening/listens';
import { openRecorders } from '~/server/domain/listening/recorders';
import { issueTicket } from '~/server/domain/listening/tickets';
import { ROLLUP_LIMITS } from '~/server/limits/listening';
import { cast } from '../../support/cast';
import { deliverAt, delivery, PHONE, part, sumsOf, twoMinuteEpisodes } from '../../support/deliveries';

const { runtime, make, visitorCtx, url } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
const SPAIN = { ...PHONE, address: '80.58.61.250' };
const FRANCE = { ...PHONE, address: '90.0.0.1' };

test('a counted download is in the day of its product and the month of its episode, with all its facts', async () => {
  const [one, two] = (await twoMinuteEpisodes(make, 2)) as [never, never];

  await deliverAt(visitorCtx, '2026-03-02 09:20', delivery(one, { client: SPAIN }));
  await deliverAt(visitorCtx, '2026-03-02 09:40', delivery(two, { client: SPAIN, source: 'private_feed' }));
  await deliverAt(visitorCtx, '2026-03-02 23:59', delivery(one, { client: FRANCE }));
  await deliverAt(visitorCtx, '2026-03-02 12:00', part(one, 0, 5000, { client: { ...PHONE, address: '1.1.1.1' } }));

  const { days, months } = await sumsOf(db, (one as { productId: number }).productId);
  expect(days).toMatchObject([
    {
      day: '2026-03-02',
      downloads: 3,
      listens: 0,
      listeners: 2,
      slots: { d: { 37: 1, 38: 1, 95: 1 } },
      dimensions: { country: { ES: 2, FR: 1 }, source: { feed: 2, private_feed: 1 } },
    },
  ]);
  expect(Object.values(days[0]!.pairs)).toEqual(expect.arrayContaining([2, 1]));
  expect(days[0]!.dimensions).not.toHaveProperty('region');
  expect(months).toMatchObject([
    {
      month: '2026-03-01',
      downloads: 2,
      hours: { d: { '0209': 1, '0223': 1 } },
      dimensions: { country: { ES: 1, FR: 1 } },
    },
    { month: '2026-03-01', downloads: 1, hours: { d: { '0209': 1 } }, dimensions: { source: { private_feed: 1 } } },
  ]);
});

test('a listen of the web player has the facts of the request that reports it', async () => {
  const [episode] = await twoMinuteEpisodes(make);
  const { id, productId } = episode!;
  const page = (referrer: string) => {
    const ctx = visitorCtx({ now: new Date('2026-03-02T10:59:59Z') });
    return { ...ctx, client: { ...ctx.client, address: SPAIN.address, referrer } };
  };

  for (const [session, referrer] of [
    ['session-1', runtime.urls.embed('episode', id)],
    ['session-2', runtime.urls.creator('lucia', '/p/ruido/uno')],
  ] as const) {
    const ctx = page(referrer);
    const ticket = issueTicket({ ...ctx, now: () => earlier(ctx.now(), SECONDS(61)) }, { id, session });
    await recordListen(ctx, { id, session, ticket });
  }

  const { days, months } = await sumsOf(db, productId);
  const dimensions = { country: { ES: 2 }, source: { embed: 1, player: 1 } };
  expect(days).toMatchObject([{ listens: 2, downloads: 0, listeners: 0, slots: { l: { 43: 2 } }, dimensions }]);
  expect(months).toMatchObject([{ listens: 2, downloads: 0, hours: { l: { '0210': 2 } }, dimensions }]);
});

test('a listener of a day is counted once for all episodes of a show, also by two processes at once', async () => {
  const episodes = await twoMinuteEpisodes(make, 4);
  const other = createDb(url, { max: 2 });
  const processes = [db, other.db].map((each) => ({ ...visitorCtx(), db: each, recorders: openRecorders(each) }));

  for (let round = 0; round < 10; round += 1) {
    const client = { ...PHONE, address: `198.51.100.${round}` };
    await Promise.all(episodes.map((episode, i) => recordDelivery(processes[i % 2]!, delivery(episode, { client }))));
  }
  await other.close();

  expect((await sumsOf(db, episodes[0]!.productId)).days).toMatchObject([{ downloads: 40, listeners: 10 }]);
});

test('values that clients invent are counted together beyond a limit, and no play is lost', async () => {
  const [episode] = await twoMinuteEpisodes(make);
  const at = new Date('2026-03-02T10:00:00Z');
  const facts: PlayFacts = {
    ...{ country: 'ES', region: null, app: 'chrome', device: 'computer', os: 'linux', source: 'other' },
    referrer: null,
  };
  const item = (i: number, host: string) => ({
    ...{ day: '2026-03-02', episode: episode!, listenerKey: i.toString(16).padStart(32, '0'), formerKey: null },
    ...{ userAgent: 'x', spans: [{ from: 0, to: 1_500_000 }], at, facts: { ...facts, referrer: host } },
  });
  const most = ROLLUP_LIMITS.values.referrer;

  await Promise.all(
    Array.from({ length: 3 * most }, (_, i) =>
      runtime.recorders.downloads.record(item(i, `${i % (2 * most)}.example`)),
    ),
  );
  await runtime.recorders.downloads.record(item(9999, 'late.example'));

  const { days, months } = await sumsOf(db, episode!.productId);
  for (const { dimensions, downloads } of [...days, ...months]) {
    const counts = Object.values(dimensions.referrer!);
    expect(downloads).toBe(3 * most + 1);
    expect(counts).toHaveLength(most + 1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(downloads);
  }
});

test('a show without plays has no rows, and one with a single play has one of each', async () => {
  const [quiet] = await twoMinuteEpisodes(make);
  const [single] = await twoMinuteEpisodes(make);

  await deliverAt(visitorCtx, '2026-03-02 09:20', delivery(single!));

  expect(await sumsOf(db, quiet!.productId)).toEqual({ days: [], showMonths: [], months: [], machines: [] });
  const { days, months, machines } = await sumsOf(db, single!.productId);
  expect([days.length, months.length, machines.length]).toEqual([1, 1, 0]);
});

test('a minute in our own players is one play, and a download that is counted apart', async () => {
  const [episode] = await twoMinuteEpisodes(make);
  const { id, productId } = episode!;

  for (const source of ['player', 'embed', 'feed'] as const)
    await deliverAt(
      visitorCtx,
      '2026-03-02 09:20',
      delivery(episode!, { client: { ...SPAIN, address: `80.58.61.${source.length}` }, source }),
    );
  const now = new Date('2026-03-02T09:21:05Z');
  for (const session of ['session-1', 'session-2']) {
    const ticket = issueTicket(visitorCtx({ now: earlier(now, SECONDS(61)) }), { id, session });
    await recordListen(visitorCtx({ now }), { id, session, ticket });
  }

  const { days, months } = await sumsOf(db, productId);
  const counts = { listens: 2, downloads: 1, playerDownloads: 2 };
  expect(days).toMatchObject([{ ...counts, listeners: 3, slots: { l: { 37: 2 }, d: { 37: 1 }, p: { 37: 2 } } }]);
  expect(months).toMatchObject([{ ...counts, hours: { l: { '0209': 2 }, d: { '0209': 1 }, p: { '0209': 2 } } }]);
  for (const { dimensions } of [...days, ...months]) {
    expect(dimensions.source).toEqual({ player: 2, feed: 1 });
    expect(Object.values(dimensions.device!).reduce((sum, plays) => sum + plays, 0)).toBe(3);
  }
  const [total] = await db.select().from(episodeTotals).where(eq(episodeTotals.episodeId, id));
  expect(total).toMatchObject(counts);
});
