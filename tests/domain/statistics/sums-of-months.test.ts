import { and, eq, sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { episodeTotals, listeningDays } from '~/db/schema/listening';
import { listeningMonths } from '~/db/schema/listening-months';
import { HOURS, later } from '~/server/base/time';
import { catchUpSums } from '~/server/domain/listening/catch-up-sums';
import { recordListen } from '~/server/domain/listening/listens';
import { issueTicket } from '~/server/domain/listening/tickets';
import { catchUpSums as catchUpJob } from '~/server/queue/jobs/listening';
import { cast } from '../../support/cast';
import { deliverAt, delivery } from '../../support/deliveries';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, make, visitorCtx, pauseAt } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2025-12-01', 5)`);
const NOW = new Date('2026-04-10T12:00:00Z');
const RELEASED = new Date('2026-01-30T22:40:00Z');
clock.now = NOW;
afterEach(() => {
  clock.now = NOW;
});

const owner = await make.creator({ timeZone: 'America/Lima' });
const AGENTS = ['AntennaPod/3.1.2', 'Overcast/3.0', 'Podcasts/1575 CFNetwork/1'];

/** A show with plays from the end of December to the beginning of April, of several apps, places and players. */
async function playedShow() {
  const show = await make.product(owner);
  const made = await make.episodes(show, 2, () => ({ releaseAt: RELEASED }));
  const known = made.map(({ id, creatorId, productId }) => ({
    ...{ id, creatorId, productId, bytes: 1_921_000, headBytes: 1000, durationMs: 120_000 },
  }));
  for (let i = 0; i < 50; i += 1) {
    const at = later(new Date('2025-12-30T21:30:00Z'), i * HOURS(46)).toISOString();
    const client = { address: i % 3 ? `80.58.61.${i}` : `90.0.0.${i}`, userAgent: AGENTS[i % 3]! };
    await deliverAt(
      visitorCtx,
      at.slice(0, 19),
      delivery(known[i % 2]!, { client, source: i % 5 === 2 ? 'player' : 'feed' }),
    );
  }
  await listen(known[0]!.id, '2026-01-31T12:00:00Z');
  await catchUpSums(visitorCtx(), {});
  return { ...show, first: known[0]!, second: known[1]! };
}

async function listen(id: number, time: string) {
  const at = new Date(time);
  const session = `s-${id}-${at.getTime()}`;
  const ticket = issueTicket(visitorCtx({ now: later(at, -61_000) }), { id, session });
  await recordListen(visitorCtx({ now: at }), { id, session, ticket });
}

const ofShow = (id: number) => eq(listeningMonths.productId, id);
const monthsOf = (id: number) => db.select().from(listeningMonths).where(ofShow(id)).orderBy(listeningMonths.month);
const breakdownOf = async (id: number | null, range: { from: string; to: string; zone?: string }) =>
  (id === null ? await owner.api.statistics.ofCreator(range) : await owner.api.statistics.ofShow({ id, ...range }))
    .breakdown;

test('a chart of months and the days around them is that of the days alone, in any time zone', async () => {
  const show = await playedShow();
  const ranges = [
    { from: '2025-12-15', to: '2026-04-10' },
    { from: '2026-01-01', to: '2026-03-31', zone: 'Pacific/Kiritimati' },
    { from: '2026-01-31', to: '2026-02-28', zone: 'UTC' },
    { from: '2026-02-02', to: '2026-03-30' },
  ];
  const read = () => Promise.all(ranges.flatMap((range) => [breakdownOf(show.id, range), breakdownOf(null, range)]));

  const withMonths = await read();
  expect((await monthsOf(show.id)).map(({ month }) => month.slice(0, 7))).toEqual([
    ...['2025-12', '2026-01', '2026-02', '2026-03'],
  ]);
  await db.delete(listeningMonths);

  expect(await read()).toEqual(withMonths);
});

test('whole months are read from their sums, and those that lack plays of a former release from their days', async () => {
  const show = await playedShow();
  const range = { from: '2026-01-15', to: '2026-03-15' };
  const before = await breakdownOf(show.id, range);
  const february = and(ofShow(show.id), eq(listeningMonths.month, '2026-02-01'));
  await db
    .update(listeningMonths)
    .set({ dimensions: { country: { PT: 3 } } })
    .where(february);
  expect((await breakdownOf(show.id, range)).country).toContainEqual({ key: 'PT', plays: 3 });

  const day = and(eq(listeningDays.productId, show.id), eq(listeningDays.day, '2026-02-01'));
  await db.update(listeningDays).set({ listens: sql`listens + 1` }).where(day);

  expect(await breakdownOf(show.id, range)).toEqual(before);
  await catchUpSums(visitorCtx(), {});
  const [month] = await db.select().from(listeningMonths).where(february);
  expect(month!.dimensions).not.toHaveProperty('country.PT');
  expect(await breakdownOf(show.id, range)).toEqual(before);
});

test('months and starts that are summed up again are the same', async () => {
  const show = await playedShow();
  const read = async () => ({
    months: await monthsOf(show.id),
    totals: await db
      .select()
      .from(episodeTotals)
      .where(sql`episode_id in (select id from episodes where product_id = ${show.id})`)
      .orderBy(episodeTotals.episodeId),
  });
  const written = await read();
  expect(written.totals.map(({ startsPlays, listens, downloads }) => startsPlays! - listens - downloads)).toEqual([
    0, 0,
  ]);
  expect(written.totals[0]!.first24h).toBeGreaterThan(0);
  expect(written.totals[0]!.first30d).toBeGreaterThan(written.totals[0]!.first7d);

  await db.delete(listeningMonths);
  await db.update(episodeTotals).set({ startsPlays: null, releasedHour: null, first24h: 0, first7d: 0, first30d: 7 });
  await catchUpSums(visitorCtx(), {});

  expect(await read()).toEqual(written);
});

test('the starts of an episode are those after its release, also after the release was moved', async () => {
  const show = await playedShow();
  const { id } = show.first;
  const startsOf = async () => {
    const { episodes: compared } = await owner.api.statistics.ofShow({ id: show.id });
    const { first24h, first7d, first30d } = compared.find((episode) => episode.id === id)!;
    return { first24h, first7d, first30d };
  };
  const kept = () => db.select().from(episodeTotals).where(eq(episodeTotals.episodeId, id)).limit(1);
  const released = await startsOf();

  await db
    .update(episodes)
    .set({ releaseAt: new Date('2026-01-31T00:20:00Z') })
    .where(eq(episodes.id, id));
  await listen(id, '2026-01-31T23:59:00Z');
  const moved = await startsOf();
  await catchUpSums(visitorCtx(), {});

  expect(await startsOf()).toEqual(moved);
  expect(moved).not.toEqual(released);
  expect((await kept())[0]).toMatchObject({
    ...moved,
    releasedHour: new Date('2026-01-31T00:00:00Z').getTime() / HOURS(1),
  });
  await db.update(episodes).set({ releaseAt: RELEASED }).where(eq(episodes.id, id));
  expect(await startsOf()).toEqual({ ...released, first7d: released.first7d! + 1, first30d: released.first30d! + 1 });
});

test('starts are read from the totals of episodes', async () => {
  const show = await playedShow();
  const { id } = show.first;
  await db.update(episodeTotals).set({ first24h: 1234 }).where(eq(episodeTotals.episodeId, id));

  const { episodes: compared } = await owner.api.statistics.ofShow({ id: show.id });

  expect(compared.find((episode) => episode.id === id)).toMatchObject({ first24h: 1234 });
});

test('a play that arrives while a month is summed up is in it, or the month is summed up again', async () => {
  const show = await playedShow();
  await db.delete(listeningMonths).where(ofShow(show.id));
  const pause = pauseAt('sums.locked');
  const summing = catchUpSums(visitorCtx(), {});
  await pause.reachedBy(summing);

  const arriving = ['2025-12-30T22:00:00Z', '2025-12-29T10:00:00Z'].map((time) => listen(show.second.id, time));
  pause.goOn();
  await Promise.all([summing, ...arriving]);
  const range = { from: '2025-12-01', to: '2026-02-28' };
  const shown = await breakdownOf(show.id, range);
  await catchUpSums(visitorCtx(), {});
  const months = await monthsOf(show.id);

  expect(await breakdownOf(show.id, range)).toEqual(shown);
  const [days] = await db.execute<{ plays: number }>(sql`
    select sum(listens + downloads)::int as plays from listening_days
    where product_id = ${show.id} and day < '2026-04-01'`);
  expect(months.reduce((sum, { plays }) => sum + plays, 0)).toBe(days!.plays);
  await db.delete(listeningMonths);
  expect(await breakdownOf(show.id, range)).toEqual(shown);
});

test('a show with damaged maps does not keep others from being summed up', async () => {
  const [damaged, other] = [await playedShow(), await playedShow()];
  const expected = await monthsOf(other.id);
  await db.delete(listeningMonths);
  await db
    .update(listeningDays)
    .set({ dimensions: { country: { ES: 'many' } } as never })
    .where(eq(listeningDays.productId, damaged.id));

  await catchUpSums(visitorCtx(), {});

  expect(await monthsOf(other.id)).toEqual(expected);
  expect(await monthsOf(damaged.id)).toEqual([]);
  await db.delete(listeningDays).where(eq(listeningDays.productId, damaged.id));
});

test('what one job can’t sum up is left to the next one', async () => {
  const show = await playedShow();
  const expected = await monthsOf(show.id);
  await db.delete(listeningMonths);
  const limits = { shows: 500, months: 2, episodes: 1, atOnce: 1 };
  const work = ({ after }: { after: number }) => catchUpSums(visitorCtx(), { after }, limits);

  await work({ after: show.id - 1 });
  expect(await monthsOf(show.id)).toHaveLength(2);
  while ((await runJobs(runtime, catchUpJob.name, work as never)) > 0);

  expect(await monthsOf(show.id)).toEqual(expected);
});
