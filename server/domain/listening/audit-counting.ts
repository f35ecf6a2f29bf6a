import { type SQL, sql } from 'drizzle-orm';
import { classifyAgent } from '../../agents/classify';
import { DAYS, earlier, utcDay } from '../../base/time';
import { AUDIT_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';

/** A user agent, or a reason, with its number of rows or requests. */
export type Counted = { name: string; count: number };

/** A product's day whose rollup is not the number of its raw events. */
export type Deviation = {
  day: string;
  productId: number;
  listens: number;
  rawListens: number;
  /** Those of our own players are included. */
  downloads: number;
  rawDownloads: number;
};

/** What was counted on some days, and whether the figures are what the raw events add up to (IAB 2.3, step 5). */
export type CountingAudit = {
  from: string;
  to: string;
  downloads: number;
  /** Listeners who received less than a minute of audio. */
  belowMinute: number;
  /** Downloads that a recount removed, because their agents were machines by then. */
  removed: number;
  /** Counted downloads with less audio than that: none, unless the counting is broken. */
  tooShort: number;
  /** Counted downloads whose app is not in the table, and the most frequent of their user agents. */
  unknown: number;
  unknownAgents: Counted[];
  /** User agents of counted downloads that are machines by today's table. */
  newMachines: Counted[];
  machines: { requests: number; reasons: Counted[]; agents: Counted[] };
  sample: { days: number; deviations: Deviation[] };
};

/** The last `days` UTC days with the present one. Raw events are kept for 90 days. */
export async function auditCounting(ctx: Pick<Ctx, 'db' | 'now'>, days: number): Promise<CountingAudit> {
  const now = ctx.now();
  const [from, to] = [utcDay(earlier(now, DAYS(days - 1))), utcDay(now)];
  const during = sql`day between ${from}::date and ${to}::date`;
  const [sums, unknownAgents, agents, machines, sample] = await Promise.all([
    sumDownloads(ctx, during),
    listAgents(ctx, sql`${during} and app = 'unknown'`, AUDIT_LIMITS.listed),
    listAgents(ctx, during, AUDIT_LIMITS.agents),
    sumMachines(ctx, during),
    compareSample(ctx, during),
  ]);
  const newMachines = agents.filter(({ name }) => classifyAgent(name).kind === 'bot').slice(0, AUDIT_LIMITS.listed);
  return { from, to, ...sums, unknownAgents, newMachines, machines, sample };
}

type AuditCtx = Pick<Ctx, 'db'>;
type Sums = Pick<CountingAudit, 'downloads' | 'belowMinute' | 'removed' | 'tooShort' | 'unknown'>;

async function sumDownloads({ db }: AuditCtx, during: SQL): Promise<Sums> {
  const [row] = await db.execute<Sums>(sql`
    select count(*) filter (where is_counted)::int as downloads,
      count(*) filter (where not is_counted and is_short)::int as "belowMinute",
      count(*) filter (where not is_counted and not is_short)::int as removed,
      count(*) filter (where is_counted and is_short)::int as "tooShort",
      count(*) filter (where is_counted and app = 'unknown')::int as unknown
    from (
      select app, counted_at is not null as is_counted,
        (select sum(upper(span) - lower(span)) from unnest(spans) span) < needed_bytes as is_short
      from downloads where ${during}
    ) d`);
  return row!;
}

async function listAgents({ db }: AuditCtx, where: SQL, limit: number): Promise<Counted[]> {
  return db.execute<Counted>(sql`
    select user_agent as name, count(*)::int as count from downloads
    where ${where} and counted_at is not null group by 1 order by 2 desc, 1 limit ${limit}`);
}

async function sumMachines({ db }: AuditCtx, during: SQL): Promise<CountingAudit['machines']> {
  const [row] = await db.execute<CountingAudit['machines']>(sql`
    with days as materialized (select requests, reasons, agents from machine_days where ${during})
    select coalesce((select sum(requests) from days), 0)::float8 as requests,
      ${mostFrequent('reasons')} as reasons, ${mostFrequent('agents')} as agents`);
  return row!;
}

/** The largest numbers of a column with numbers by name, as Counted[]. */
const mostFrequent = (column: 'reasons' | 'agents'): SQL => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('name', name, 'count', count) order by count desc, name) from (
      select name, sum(number::bigint)::float8 as count from days, jsonb_each_text(${sql.raw(column)}) each(name, number)
      group by 1 order by 2 desc, 1 limit ${AUDIT_LIMITS.listed}
    ) most
  ), '[]')`;

/** One statement, because raw events and rollups are written together. */
async function compareSample({ db }: AuditCtx, during: SQL): Promise<CountingAudit['sample']> {
  const raw = (table: 'listens' | 'downloads', condition = sql`true`) => sql`(
    select count(*)::int from ${sql.raw(table)} r
    where r.day = s.day and r.creator_id = s.creator_id and r.product_id = s.product_id and ${condition})`;
  const rows = await db.execute<Deviation>(sql`
    with sample as materialized (
      select day, creator_id, product_id, listens, downloads + player_downloads as downloads from listening_days
      where ${during} order by random() limit ${AUDIT_LIMITS.sample}
    )
    select s.day::text as day, s.product_id::int as "productId", s.listens, ${raw('listens')} as "rawListens",
      s.downloads, ${raw('downloads', sql`r.counted_at is not null`)} as "rawDownloads"
    from sample s order by s.day, s.product_id`);
  const deviations = rows.filter((row) => row.listens !== row.rawListens || row.downloads !== row.rawDownloads);
  return { days: rows.length, deviations };
}
