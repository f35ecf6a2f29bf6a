import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { statusChecks as checks } from '~/db/schema/status';
import { COMPONENTS, type Component } from '~/db/values/status';
import { sharedWork } from '../../flow/shared-work';
import { STATUS_LIMITS } from '../../limits/status';
import type { Ctx } from '../../runtime/ctx';
import { type Incident, listIncidents } from './incidents';
import { type DaySums, firstShown, isStale, type StatusDay, statusDays } from './rules';

export type ComponentStatus = {
  component: Component;
  isOk: boolean;
  ms: number | null;
  /** The first failed check since the last one that passed; null while it works. */
  failingSince: Date | null;
  days: StatusDay[];
};

/**
 * `now`: when it was read. `checkedAt`: the slot of the last check; null before the first one. `isStale`: nothing is known
 * about now.
 */
export type StatusPage = {
  now: Date;
  checkedAt: Date | null;
  isStale: boolean;
  components: ComponentStatus[];
  incidents: PublicIncident[];
};

export type PublicIncident = ReturnType<typeof toPublic>;

type Db = Pick<Ctx, 'db'>;
type Sums = DaySums & { component: Component; first: Date; last: Date };

/** The components of the last check, those days, and the incidents. A component that is no longer used is left out. */
export async function viewStatus(ctx: Ctx): Promise<StatusPage> {
  const now = ctx.now();
  const [sums, incidents] = await Promise.all([sharedSums(ctx, firstShown(now)), viewIncidents(ctx)]);
  const checkedAt = sums.reduce<Date | null>((last, sum) => (!last || sum.last > last ? sum.last : last), null);
  const latest = checkedAt ? await latestChecks(ctx, checkedAt) : [];
  const since = await failingSince(ctx, latest);
  return {
    now,
    checkedAt,
    isStale: checkedAt !== null && isStale(checkedAt, now),
    components: latest.map(({ component, isOk, ms }) => {
      const own = sums.filter((sum) => sum.component === component);
      const first = new Date(Math.min(...own.map((sum) => sum.first.getTime())));
      const days = statusDays(own, { first, last: checkedAt!, now });
      return { component, isOk, ms, failingSince: since.get(component) ?? null, days };
    }),
    incidents,
  };
}

const sharing = new WeakMap<Ctx['db'], ReturnType<typeof sharedWork<Sums[]>>>();

/** Summing all checks takes some tens of milliseconds, so concurrent readers of a database share it. */
function sharedSums({ db }: Db, from: Date): Promise<Sums[]> {
  const share = sharing.get(db) ?? sharedWork<Sums[]>();
  sharing.set(db, share);
  return share(from.toISOString(), () => sumDays({ db }, from));
}

/** One row per component and day. */
async function sumDays({ db }: Db, from: Date): Promise<Sums[]> {
  // formatted for each day, not for each check
  const day = sql`(${checks.slot} at time zone 'UTC')::date`;
  const count = (isOk: boolean) => sql<number>`count(*) filter (where ${checks.isOk} = ${isOk})`.mapWith(Number);
  return db
    .select({
      component: checks.component,
      day: sql<string>`(${day})::text`,
      passed: count(true),
      failed: count(false),
      first: sql`min(${checks.slot})`.mapWith(checks.slot),
      last: sql`max(${checks.slot})`.mapWith(checks.slot),
    })
    .from(checks)
    .where(gte(checks.slot, from))
    .groupBy(checks.component, day)
    .orderBy(day, checks.component)
    .limit(STATUS_LIMITS.days * COMPONENTS.length);
}

/** The last check, in the order of the page. */
async function latestChecks({ db }: Db, slot: Date) {
  const rows = await db
    .select()
    .from(checks)
    .where(and(eq(checks.slot, slot), inArray(checks.component, [...COMPONENTS])))
    .orderBy(checks.component)
    .limit(COMPONENTS.length);
  return rows.toSorted((a, b) => COMPONENTS.indexOf(a.component) - COMPONENTS.indexOf(b.component));
}

/** When each failing component began to fail. */
async function failingSince({ db }: Db, latest: readonly { component: Component; isOk: boolean }[]) {
  const failing = latest.filter(({ isOk }) => !isOk).map(({ component }) => sql`(${component})`);
  if (failing.length === 0) return new Map<Component, Date>();
  const rows = await db.execute<{ component: Component; since: string }>(sql`
    select c.component, (
      select min(slot) from ${checks} where component = c.component and slot > coalesce(
        (select max(slot) from ${checks} where component = c.component and is_ok), '-infinity')) as since
    from (values ${sql.join(failing, sql`, `)}) as c (component)`);
  return new Map([...rows].map(({ component, since }) => [component, new Date(since)]));
}

/** The incidents of the page and the feed. */
export const viewIncidents = async (ctx: Ctx): Promise<PublicIncident[]> => (await listIncidents(ctx)).map(toPublic);

/** Without the names of operators. */
function toPublic({ id, titleEn, titleEs, severity, components, startedAt, resolvedAt, updates }: Incident) {
  const texts = updates.map(({ textEn, textEs, at }) => ({ textEn, textEs, at }));
  return { id, titleEn, titleEs, severity, components, startedAt, resolvedAt, updates: texts };
}
