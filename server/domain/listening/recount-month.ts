import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { episodeMonths, listeningDays, statisticsChanges } from '~/db/schema/listening';
import { listeningMonths } from '~/db/schema/listening-months';
import { classifyAgent } from '../../agents/classify';
import type { MachineReason } from '../../agents/machines';
import { DAYS, earlier, utcDay } from '../../base/time';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { agentName, insertMachineRequests } from './machines';
import { addSums, FACTS, IS_OF_OWN_PLAYER, type Measure, sumEvents } from './rollups';
import { countStarts, lockTotals } from './starts';

/** One show in one UTC month. `from`: its first day; `until`: the first day of the next one. */
export type ShowMonth = { creatorId: number; productId: number; from: string; until: string };

/** `removed`: downloads whose agents are machines by now. `isKept`: the sums are of events that are gone. */
export type RecountedMonth = { removed: number; listens: number; downloads: number; isKept: boolean };

/**
 * Counts a month again from its events, without those whose agents are machines by now. Sums that include other events
 * stay as they are: events are deleted after a while, and a backup of another installation brings sums only. A
 * concurrent play waits for the rows of its day, or has been committed before they are read, so none is lost.
 */
export async function recountMonth(ctx: Ctx, month: ShowMonth): Promise<RecountedMonth> {
  return transact(ctx, async (tx) => {
    if (await hasOtherSums(tx, month)) return { removed: 0, listens: 0, downloads: 0, isKept: true };
    // in the order in which plays lock rows: events, listeners, days, months of episodes, totals
    const moved = await findUnmoved(tx, month);
    const { removed, byEpisode } = await removeMachines(tx, month);
    await addListeners(tx, month);
    const before = await lockDays(tx, month);
    await ctx.reach('recount.locked');
    await clearSums(tx, month);
    await sumAgain(tx, month, 'listens');
    await sumAgain(tx, month, 'downloads');
    const started = await findStarted(tx, month, [...moved, ...byEpisode]);
    await lockTotals(tx, started);
    await addToTotals(tx, month, [...moved, ...byEpisode]);
    await countStarts(tx, started);
    const after = await dropEmptyDays(tx, month);
    const grown = { listens: after.listens - before.listens, downloads: after.downloads - before.downloads };
    if (grown.listens !== 0 || grown.downloads !== 0) await noteChange(tx, month, { ...grown, removed });
    return { removed, ...grown, isKept: false };
  });
}

const eventsOf = ({ creatorId, productId, from, until }: ShowMonth) =>
  sql`creator_id = ${creatorId} and product_id = ${productId} and day >= ${from}::date and day < ${until}::date`;

const daysOf = ({ creatorId, productId, from, until }: ShowMonth) =>
  and(
    eq(listeningDays.creatorId, creatorId),
    eq(listeningDays.productId, productId),
    gte(listeningDays.day, from),
    lt(listeningDays.day, until),
  );

async function hasOtherSums({ db }: TxCtx, month: ShowMonth): Promise<boolean> {
  const [row] = await db.execute<{ has: boolean }>(sql`
    select exists(
      select from listening_days d where ${eventsOf(month)} and listens + downloads + player_downloads > 0
        and not exists(select from listens e where ${eventsOf(month)} and e.day = d.day)
        and not exists(select from downloads e where ${eventsOf(month)} and e.day = d.day)
    ) as has`);
  return row!.has;
}

/** How much the total of an episode grows; negative if it shrinks. */
type TotalChange = { episode_id: number; downloads: number; apart: number };

/** Downloads of our own players that a former release added to the plays. One statement, so plays in between are whole. */
async function findUnmoved({ db }: TxCtx, month: ShowMonth): Promise<TotalChange[]> {
  const { creatorId, productId, from } = month;
  return db.execute<TotalChange>(sql`
    select d.episode_id::float8, (m.player_downloads - d.apart)::int as downloads,
      (d.apart - m.player_downloads)::int as apart
    from (
      select episode_id, count(*) as apart from downloads
      where ${eventsOf(month)} and counted_in is not null and ${IS_OF_OWN_PLAYER} group by 1
    ) d
    join episode_months m on m.creator_id = ${creatorId} and m.product_id = ${productId}
      and m.episode_id = d.episode_id and m.month = ${from}::date
    where d.apart > m.player_downloads order by 1`);
}

type Removed = { removed: number; byEpisode: TotalChange[] };

/** Uncounts the downloads of agents that are machines by now, and counts them as their requests. */
async function removeMachines({ db }: TxCtx, month: ShowMonth): Promise<Removed> {
  const agents = await db.execute<{ agent: string }>(sql`
    select distinct user_agent as agent from downloads where ${eventsOf(month)} and counted_in is not null order by 1`);
  const machines = new Map<string, MachineReason>();
  for (const { agent } of agents) {
    const { reason } = classifyAgent(agent);
    if (reason) machines.set(agent, reason);
  }
  if (machines.size === 0) return { removed: 0, byEpisode: [] };
  const removed = await db.execute<{ day: string; agent: string; downloads: number } & TotalChange>(sql`
    with removed as (
      update downloads set counted_at = null, counted_in = null
      where ${eventsOf(month)} and counted_in is not null and user_agent = any(${sql.param([...machines.keys()])}::text[])
      returning day, episode_id, user_agent, ${IS_OF_OWN_PLAYER} as is_apart
    )
    select day::text, user_agent as agent, episode_id::float8, count(*) filter (where not is_apart)::int as downloads,
      count(*) filter (where is_apart)::int as apart
    from removed group by 1, 2, 3 order by 1, 2, 3`);
  const { creatorId, productId } = month;
  const requests = removed.flatMap(({ day, agent, downloads, apart }) =>
    Array.from({ length: downloads + apart }, () => ({
      ...{ creatorId, productId, day, reason: machines.get(agent)!, agent: agentName(agent) },
    })),
  );
  await insertMachineRequests(db, requests);
  const byEpisode = removed.map(({ episode_id, downloads, apart }) => ({
    episode_id,
    downloads: -downloads,
    apart: -apart,
  }));
  return { removed: requests.length, byEpisode };
}

async function addToTotals({ db }: TxCtx, { creatorId }: ShowMonth, changes: TotalChange[]): Promise<void> {
  const column = (name: keyof TotalChange) => plainArray(changes.map((change) => change[name]));
  await db.execute(sql`
    insert into episode_totals as t (episode_id, creator_id, downloads, player_downloads)
    select episode_id, ${creatorId}, sum(downloads), sum(apart)
    from unnest(${column('episode_id')}::bigint[], ${column('downloads')}::int[], ${column('apart')}::int[])
      as c(episode_id, downloads, apart)
    group by 1 order by 1
    on conflict (episode_id) do update set
      downloads = t.downloads + excluded.downloads, player_downloads = t.player_downloads + excluded.player_downloads`);
}

/** Episodes with another total, and those of whose starts a part may be in the month. */
async function findStarted({ db }: TxCtx, { productId, from, until }: ShowMonth, changes: TotalChange[]) {
  const changed = plainArray(changes.map(({ episode_id }) => episode_id));
  const rows = await db.execute<{ id: number }>(sql`
    select id::float8 from episodes
    where product_id = ${productId} and (id = any(${changed}::bigint[])
      or (release_at >= ${from}::date - interval '31 days' and release_at < ${until}::date + interval '1 day'))
    order by id`);
  return rows.map(({ id }) => id);
}

/** Listeners of former releases are counted on their day, too. */
async function addListeners({ db, now }: TxCtx, month: ShowMonth): Promise<void> {
  await db.execute(sql`
    insert into daily_listeners (day, product_id, listener_key)
    select distinct day, product_id, listener_key from downloads
    where ${eventsOf(month)} and counted_in is not null and day >= ${utcDay(earlier(now(), DAYS(1)))}::date
    order by 1, 2, 3
    on conflict do nothing`);
}

/** Also makes the rows of days without plays, so that the first play of such a day waits. @returns the stored sums */
async function lockDays({ db }: TxCtx, month: ShowMonth): Promise<{ listens: number; downloads: number }> {
  const { creatorId, productId, from, until } = month;
  await db.execute(sql`
    insert into listening_days (creator_id, product_id, day)
    select ${creatorId}, ${productId}, day::date
    from generate_series(${from}::date, ${until}::date - 1, interval '1 day') day order by day
    on conflict do nothing`);
  const rows = await db
    .select({ listens: listeningDays.listens, downloads: listeningDays.downloads })
    .from(listeningDays)
    .where(daysOf(month))
    .orderBy(listeningDays.day)
    .for('update');
  return sumOf(rows);
}

async function clearSums({ db }: TxCtx, month: ShowMonth): Promise<void> {
  const { creatorId, productId, from } = month;
  const none = { listens: 0, downloads: 0, playerDownloads: 0, dimensions: {} };
  await db
    .update(listeningDays)
    .set({ ...none, listeners: 0, slots: {}, pairs: {} })
    .where(daysOf(month));
  await db
    .delete(listeningMonths)
    .where(
      and(
        eq(listeningMonths.creatorId, creatorId),
        eq(listeningMonths.productId, productId),
        eq(listeningMonths.month, from),
      ),
    );
  await db
    .delete(episodeMonths)
    .where(
      and(
        eq(episodeMonths.creatorId, creatorId),
        eq(episodeMonths.productId, productId),
        eq(episodeMonths.month, from),
      ),
    );
}

async function sumAgain({ db }: TxCtx, month: ShowMonth, measure: Measure): Promise<void> {
  const events =
    measure === 'listens'
      ? sql`select day, creator_id, product_id, episode_id, at, null::bytea as listener_key, ${FACTS}
          from listens where ${eventsOf(month)}`
      : sql`select day, creator_id, product_id, episode_id, first_at as at, listener_key, ${FACTS}
          from downloads where ${eventsOf(month)} and counted_in is not null`;
  const listeners = sql`
    select day, product_id, count(distinct listener_key)::int as listeners from counted group by 1, 2`;
  await db.execute(sql`with ${sumEvents(measure, events)}, ${addSums(measure, listeners)} select 1`);
}

async function dropEmptyDays({ db }: TxCtx, month: ShowMonth): Promise<{ listens: number; downloads: number }> {
  const { listens, downloads, playerDownloads } = listeningDays;
  const empty = and(daysOf(month), eq(listens, 0), eq(downloads, 0), eq(playerDownloads, 0));
  await db.delete(listeningDays).where(empty);
  return sumOf(await db.select({ listens, downloads }).from(listeningDays).where(daysOf(month)));
}

type Change = { listens: number; downloads: number; removed: number };

async function noteChange({ db, now }: TxCtx, month: ShowMonth, change: Change): Promise<void> {
  const { creatorId, productId, from, until } = month;
  const { removed, ...grown } = change;
  const days = { day: utcDay(now()), fromDay: from, toDay: utcDay(earlier(new Date(until), DAYS(1))) };
  const reason = removed > 0 ? 'machines' : 'recount';
  await db.insert(statisticsChanges).values({ creatorId, productId, ...days, reason, ...grown });
}

const sumOf = (rows: { listens: number; downloads: number }[]) => ({
  listens: rows.reduce((sum, row) => sum + row.listens, 0),
  downloads: rows.reduce((sum, row) => sum + row.downloads, 0),
});
