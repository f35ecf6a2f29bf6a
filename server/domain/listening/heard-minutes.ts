import { sql } from 'drizzle-orm';
import type { HeardReport } from '~/db/values/listening';
import { MINUTES, utcDay } from '../../base/time';
import { HEARD_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';
import { minuteBeyondEnd, tooManyMinutes } from './errors';
import { findPlayable } from './open-episode';
import { describePlay } from './play-facts';
import type { RecordMinutes } from './schema';
import { sourceOfPlayer } from './sources';
import { ticketIssuedAt } from './tickets';

/**
 * Counts the minutes of an episode that a session of the web player has heard, each of them once, so a repeated report
 * changes nothing. Needs the ticket of `startPlaying`: nobody hears more than the time since then allows. Machines are
 * not counted. Resolves after the commit.
 * @returns the number of minutes that were new
 * @throws listening.ticket_invalid, listening.minute_beyond_end, listening.too_many_minutes, episode.not_found,
 * episode.subscription_required, common.server_busy
 */
export async function recordMinutes(ctx: Ctx, input: RecordMinutes): Promise<{ counted: number }> {
  const { episode } = await findPlayable(ctx, input);
  const since = ticketIssuedAt(ctx, input);
  const hours = new Map(input.heard.map(([hour, bits]) => [hour, BigInt(`0x${bits}`)]));
  if (isBeyondEnd(hours, episode.durationMs ?? 0)) throw minuteBeyondEnd();
  const { machine } = await describePlay(ctx, ctx.client, sourceOfPlayer(ctx.client.referrer));
  if (machine) return { counted: 0 };
  await ctx.reach('minutes.checked');
  const { id: episodeId, creatorId, productId } = episode;
  const report = { creatorId, productId, episodeId, session: input.session, hours, since, at: ctx.now() };
  const counted = await ctx.recorders.minutes.record(report);
  if (counted === null) throw tooManyMinutes();
  return { counted };
}

/** The last minute may be a part of one. */
function isBeyondEnd(hours: ReadonlyMap<number, bigint>, durationMs: number): boolean {
  const minutes = Math.ceil(durationMs / MINUTES(1));
  return [...hours].some(([hour, bits]) => bits > 0n && hour * 60 + bits.toString(2).length > minutes);
}

/** @returns for each report the number of new minutes; null if they are more than the time since its ticket allows */
export async function insertMinutes(db: Ctx['db'], reports: HeardReport[]): Promise<(number | null)[]> {
  const sessions = mergeSessions(reports);
  const results = await db.transaction(async (tx) => {
    // reports of one session are written one after another, because a minute of one day may be stored on the day before
    await tx.execute(sql`
      select pg_advisory_xact_lock(hashtext('heard_minutes'), lane)
      from (
        select distinct hashtext(key) & ${HEARD_LIMITS.lanes - 1} as lane
        from unnest(${sql.param([...sessions.keys()])}::text[]) key order by 1
      ) lanes`);
    return writeSessions(tx, [...sessions.values()]);
  });
  // of several reports in one statement, the first one gets the minutes
  return reports.map((report) => {
    const key = keyOf(report);
    const counted = results.get(key) ?? null;
    if (counted !== null) results.set(key, 0);
    return counted;
  });
}

const keyOf = ({ session, episodeId }: HeardReport) => `${session} ${episodeId}`;

/** One report for each session and episode; that of the latest moment decides the day. */
function mergeSessions(reports: HeardReport[]): Map<string, HeardReport> {
  const merged = new Map<string, HeardReport>();
  for (const report of reports) {
    const known = merged.get(keyOf(report));
    const hours = new Map(known?.hours);
    for (const [hour, bits] of report.hours) hours.set(hour, (hours.get(hour) ?? 0n) | bits);
    const since = known && known.since < report.since ? known.since : report.since;
    const at = known && known.at > report.at ? known.at : report.at;
    merged.set(keyOf(report), { ...report, hours, since, at });
  }
  return merged;
}

type Row = { session: string; episode: string; fresh: number; passed: boolean };

async function writeSessions(tx: Pick<Ctx['db'], 'execute'>, sessions: HeardReport[]) {
  const rows = sessions.flatMap((one) => [...one.hours].map(([hour, bits]) => ({ ...one, hour, bits })));
  const list = (pick: (row: (typeof rows)[number]) => string | number) => sql.param(rows.map(pick));
  const perSecond = HEARD_LIMITS.speed / 60;
  const written = await tx.execute<Row>(sql`
    with arrived as (
      select day::date, creator_id, product_id, episode_id, session_id, hour, minutes, since::timestamptz, at::timestamptz
      from unnest(${list((r) => utcDay(r.at))}::text[], ${list((r) => r.creatorId)}::bigint[],
        ${list((r) => r.productId)}::bigint[], ${list((r) => r.episodeId)}::bigint[], ${list((r) => r.session)}::text[],
        ${list((r) => r.hour)}::int[], ${list((r) => String(r.bits))}::bigint[],
        ${list((r) => r.since.toISOString())}::text[], ${list((r) => r.at.toISOString())}::text[]
      ) as a(day, creator_id, product_id, episode_id, session_id, hour, minutes, since, at)
    ), stored as materialized (
      select h.session_id, h.episode_id, h.hour, bit_or(h.minutes) as minutes, min(h.since) as since
      from (select distinct session_id, episode_id, day from arrived) a
      join heard_minutes h on h.day between a.day - 1 and a.day and h.session_id = a.session_id
        and h.episode_id = a.episode_id
      group by 1, 2, 3
    ), fresh as materialized (
      select a.*, a.minutes & ~coalesce(s.minutes, 0) as bits
      from arrived a left join stored s using (session_id, episode_id, hour)
    ), heard_before as (
      select session_id, episode_id, min(since) as since, sum(bit_count(minutes::bit(64))) as minutes from stored group by 1, 2
    ), sessions as materialized (
      select f.session_id, f.episode_id, sum(bit_count(f.bits::bit(64)))::float8 as fresh, b.minutes is null as is_new,
        least(min(f.since), b.since) as since, min(f.hour) filter (where f.bits <> 0) as first_hour,
        coalesce(b.minutes, 0) + sum(bit_count(f.bits::bit(64)))
          <= extract(epoch from max(f.at) - least(min(f.since), b.since)) * ${perSecond}::float8 + ${HEARD_LIMITS.slack} as passed
      from fresh f left join heard_before b using (session_id, episode_id)
      group by f.session_id, f.episode_id, b.minutes, b.since
    ), counted as materialized (
      select f.day, f.creator_id, f.product_id, f.episode_id, f.session_id, f.hour, f.bits as minutes, s.since,
        s.is_new and f.hour = s.first_hour as is_start
      from fresh f join sessions s using (session_id, episode_id) where s.passed and f.bits <> 0
    ), kept as (
      insert into heard_minutes as h (day, creator_id, product_id, episode_id, session_id, hour, minutes, since, is_start)
      select * from counted order by day, session_id, episode_id, hour
      on conflict (day, session_id, episode_id, hour) do update set minutes = h.minutes | excluded.minutes
    ), ${addMinutes(sql`counted`)}
    select session_id as session, episode_id::text as episode, fresh, passed from sessions`);
  return new Map(
    written.map(({ session, episode, fresh, passed }) => [
      `${session} ${episode}`,
      passed || fresh === 0 ? fresh : null,
    ]),
  );
}

const addHeard = sql`
  add_counts(jsonb_build_object('heard', m.heard), jsonb_build_object('heard', excluded.heard)) -> 'heard'`;

/** The part of a statement that adds rows of `heard_minutes` to the months of their episodes. */
const addMinutes = (rows: ReturnType<typeof sql>) => sql`
  ${sumMinutes(rows)}, months as (
    insert into episode_minutes as m (creator_id, product_id, episode_id, month, listeners, minutes, heard)
    select creator_id, product_id, episode_id, month, listeners, minutes, heard from minute_sums order by 1, 2, 3, 4
    on conflict (creator_id, product_id, episode_id, month) do update set listeners = m.listeners + excluded.listeners,
      minutes = m.minutes + excluded.minutes, heard = ${addHeard}
  )`;

/** The sums of rows by episode and month, as `minute_sums`. */
export const sumMinutes = (rows: ReturnType<typeof sql>) => sql`
  minute_sums as materialized (
    select creator_id, product_id, episode_id, month, sum(starts) as listeners, sum(events)::bigint as minutes,
      jsonb_object_agg(minute, events) as heard
    from (
      select creator_id, product_id, episode_id, date_trunc('month', day)::date as month, hour * 60 + bit as minute,
        count(*)::int as events,
        count(*) filter (where is_start and (minutes & ((1::bigint << bit) - 1)) = 0)::int as starts
      from ${rows} r, generate_series(0, 59) bit
      where (minutes >> bit) & 1 = 1
      group by 1, 2, 3, 4, 5
    ) m group by 1, 2, 3, 4
  )`;
