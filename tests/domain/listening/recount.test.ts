import { eq, sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { episodeTotals, listeningDays, statisticsChanges, statisticsRecounts } from '~/db/schema/listening';
import type { Source } from '~/db/values/statistics';
import { useAgentFile } from '~/server/agents/classify';
import { parseAgentFile } from '~/server/agents/table';
import { earlier, SECONDS } from '~/server/base/time';
import { recordListen } from '~/server/domain/listening/listens';
import { recountStatistics } from '~/server/domain/listening/recount-statistics';
import { issueTicket } from '~/server/domain/listening/tickets';
import { cast } from '../../support/cast';
import { deliverAt, delivery, PHONE, part, sumsOf, twoMinuteEpisodes } from '../../support/deliveries';

const { runtime, make, visitorCtx, pauseAt } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
afterEach(() => useAgentFile(null));

const NOW = new Date('2026-03-20T12:00:00Z');
const operator = { name: 'olga' };
const SOURCES_PLAYED: Source[] = ['private_feed', 'feed', 'player', 'feed', 'embed'];
const AGENTS = ['AntennaPod/3.1.2', 'Overcast/3.0', 'Quietloader/1.0', 'Podcasts/1575 CFNetwork/1'];

const recount = (productId: number | null, over = {}) =>
  recountStatistics({ ...visitorCtx({ now: NOW }), ...over }, { operator, from: '2026-02', to: '2026-03', productId });

/** What the operator's table names as a bot, which was an unknown app before. */
const becomesBot = () => {
  const agents = [{ id: 'quietloader', name: 'Quietloader', kind: 'bot', match: ['quietloader/*'] }];
  useAgentFile(parseAgentFile(JSON.stringify({ agents })));
};

/** Plays of one show on both sides of a month's end, of several apps and countries. */
async function played(count = 40, sources = SOURCES_PLAYED) {
  const episodes = await twoMinuteEpisodes(make, 3);
  for (let i = 0; i < count; i += 1) {
    const client = { address: `80.58.61.${i % 17}`, userAgent: AGENTS[i % AGENTS.length]! };
    const time = `2026-${i % 3 ? '03-0' : '02-2'}${1 + (i % 8)} ${String(i % 24).padStart(2, '0')}:${10 + (i % 45)}`;
    const episode = episodes[i % 3]!;
    const source = sources[i % sources.length]!;
    await deliverAt(
      visitorCtx,
      time,
      i % 7 ? delivery(episode, { client, source }) : part(episode, 0, 90_000, { client }),
    );
  }
  const now = new Date('2026-03-02T18:30:00Z');
  const { id, productId } = episodes[0]!;
  const ticket = issueTicket(visitorCtx({ now: earlier(now, SECONDS(61)) }), { id, session: `s-${id}` });
  await recordListen(visitorCtx({ now }), { id, session: `s-${id}`, ticket });
  return { episodes, productId };
}

async function stored(productId: number) {
  const totals = await db.execute(sql`
    select t.* from episode_totals t join episodes e on e.id = t.episode_id where e.product_id = ${productId} order by 1`);
  return { ...(await sumsOf(db, productId)), totals: [...totals] };
}

const changesOf = (productId: number) =>
  db
    .select()
    .from(statisticsChanges)
    .where(eq(statisticsChanges.productId, productId))
    .orderBy(statisticsChanges.fromDay, statisticsChanges.id);

test('a recount of the events gives exactly what was stored, and notes no change', async () => {
  const { productId } = await played();
  const before = await stored(productId);
  expect(before.days.length).toBeGreaterThan(8);

  const result = await recount(productId);

  expect(result).toEqual({ shows: 1, removed: 0, kept: 0 });
  expect(await stored(productId)).toEqual(before);
  expect(await db.$count(statisticsChanges, eq(statisticsChanges.productId, productId))).toBe(0);
});

test('damaged sums are replaced by those of the events, and the change is noted with its day', async () => {
  const { productId } = await played();
  const before = await stored(productId);
  const damage = { downloads: 900, slots: {}, dimensions: { app: { x: 1 } } };
  await db.update(listeningDays).set(damage).where(eq(listeningDays.productId, productId));
  await db.execute(sql`delete from episode_months where product_id = ${productId}`);

  await recount(productId);

  expect(await stored(productId)).toEqual(before);
  const changes = await changesOf(productId);
  expect(changes).toHaveLength(2);
  expect(changes[0]).toMatchObject({
    day: '2026-03-20',
    reason: 'recount',
    fromDay: '2026-02-01',
    toDay: '2026-02-28',
  });
});

test('downloads of an agent that is a bot by now become requests of a machine, and each figure is less by them', async () => {
  const { productId } = await played();
  const before = await stored(productId);
  const wrong = await db.execute<{ episode: number; downloads: number }>(sql`
    select episode_id::int as episode, count(*)::int as downloads from downloads
    where product_id = ${productId} and counted_in is not null and user_agent like 'Quiet%' group by 1 order by 1`);
  const removed = wrong.reduce((sum, { downloads }) => sum + downloads, 0);
  expect(removed).toBeGreaterThan(5);

  becomesBot();
  const first = await recount(productId);
  const again = await recount(productId);

  expect([first.removed, again.removed]).toEqual([removed, 0]);
  const after = await stored(productId);
  const sum = (rows: { downloads: number; playerDownloads: number }[]) =>
    rows.reduce((total, row) => total + row.downloads + row.playerDownloads, 0);
  expect(sum(before.days) - sum(after.days)).toBe(removed);
  expect(sum(before.months) - sum(after.months)).toBe(removed);
  expect(after.machines.reduce((total, row) => total + row.requests, 0)).toBe(removed);
  for (const { episode, downloads } of wrong) {
    const [total] = await db.select().from(episodeTotals).where(eq(episodeTotals.episodeId, episode));
    const was = before.totals.find((row) => Number(row.episode_id) === episode);
    const all = Number(was!.downloads) + Number(was!.player_downloads);
    expect(total!.downloads + total!.playerDownloads).toBe(all - downloads);
  }
  const changes = await changesOf(productId);
  const fewer = (rows: { downloads: number }[]) => rows.reduce((total, row) => total + row.downloads, 0);
  expect(fewer(changes)).toBe(fewer(after.days) - fewer(before.days));
  expect(new Set(changes.map(({ reason }) => reason))).toEqual(new Set(['machines']));
});

test('downloads of our players that a former release added to the plays are counted apart by a recount', async () => {
  const { productId } = await played();
  const right = await stored(productId);
  expect(right.days.reduce((sum, row) => sum + row.playerDownloads, 0)).toBeGreaterThan(5);
  const moved = sql`set downloads = downloads + player_downloads, player_downloads = 0`;
  await db.execute(sql`update listening_days ${moved} where product_id = ${productId}`);
  await db.execute(sql`update episode_months ${moved} where product_id = ${productId}`);
  await db.execute(sql`
    update episode_totals ${moved} where episode_id in (select id from episodes where product_id = ${productId})`);

  await recount(productId);
  await recount(productId);

  expect(await stored(productId)).toEqual(right);
});

test('plays that arrive during a recount are neither lost nor counted twice', async () => {
  const { productId, episodes } = await played();
  const pause = pauseAt('recount.locked');
  const counting = recount(productId);
  await pause.reachedBy(counting);

  const arriving = ['2026-02-25 10:00', '2026-03-02 10:00'].map((time, i) =>
    deliverAt(visitorCtx, time, delivery(episodes[i]!, { client: { ...PHONE, address: `198.51.100.${i}` } })),
  );
  pause.goOn();
  await Promise.all([counting, ...arriving]);

  const after = await stored(productId);
  await recount(productId);
  expect(await stored(productId)).toEqual(after);
  const [rows] = await db.execute<{ rows: number }>(sql`
    select count(*)::int as rows from downloads where product_id = ${productId} and counted_in is not null`);
  expect(after.days.reduce((sum, row) => sum + row.downloads + row.playerDownloads, 0)).toBe(rows!.rows);
});

test('a recount that is killed in the middle of a month or between shows continues, and is exact', async () => {
  const shows = [(await played(20)).productId, (await played(20)).productId, (await played(20)).productId];
  const before = await Promise.all(shows.map(stored));
  await db.update(listeningDays).set({ downloads: 0, dimensions: {} });
  const killedAt = (seam: string, times: number) => {
    let left = times;
    const reach = (at: string) => (at === seam && --left === 0 ? Promise.reject(new Error('killed')) : undefined);
    return recount(null, { reach });
  };

  await expect(killedAt('recount.locked', 2)).rejects.toThrow('killed');
  await expect(killedAt('recount.show', 1)).rejects.toThrow('killed');
  const rest = await recount(null);

  expect(await Promise.all(shows.map(stored))).toEqual(before);
  const recounts = await db
    .select()
    .from(statisticsRecounts)
    .where(sql`product_id is null`)
    .orderBy(statisticsRecounts.id);
  expect(recounts).toMatchObject([{ finishedAt: NOW }]);
  const all = await recount(null);
  expect(all.shows - rest.shows).toBe(1);
});

test('sums of events that are gone, or of another installation, stay as they are', async () => {
  const { productId } = await played();
  const [day] = await db.select().from(listeningDays).where(eq(listeningDays.productId, productId)).limit(1);
  await db.insert(listeningDays).values({ ...day!, day: '2026-03-15', downloads: 1234 });
  const before = await stored(productId);

  becomesBot();
  const result = await recount(productId);

  expect(result).toMatchObject({ kept: 1 });
  const march = (rows: { day: string }[]) => rows.filter((row) => row.day >= '2026-03');
  expect(march((await stored(productId)).days)).toEqual(march(before.days));
});

test('events of the former release, which knew no facts, get their hours and listeners', async () => {
  const { productId } = await played(40, ['feed']);
  await db.execute(sql`update downloads set country = null, region = null, app = null, device = null, os = null,
    source = null where product_id = ${productId}`);
  const before = await stored(productId);

  await recount(productId);

  const after = await stored(productId);
  const facts = ({ downloads, listens, slots, listeners }: (typeof after.days)[number]) => ({
    ...{ downloads, listens, slots, listeners },
  });
  expect(after.days.map(facts)).toEqual(before.days.map(facts));
  expect(after.days.at(-1)!.dimensions).toEqual({});
});
