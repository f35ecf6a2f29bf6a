import { and, asc, eq, exists, inArray, isNull, lte, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { runImport } from '../../queue/jobs/rss-import';
import type { TxCtx } from '../../runtime/ctx';

/** An arbitrary number: imports of all processes share the places. */
const PLACES_LOCK = 150_015;

const running = alias(rssImports, 'running');
const holdsPlace = and(eq(running.status, 'in_progress'), isNull(running.waitsUntil), not(running.isFollowUp));

/**
 * Gives the free places to imports that wait for one: to confirmed ones, and to runs whose host may be asked again. The
 * longest waiting comes first, but one account never gets all places.
 */
export async function startNext(tx: TxCtx): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(${PLACES_LOCK})`);
  const free = IMPORT_LIMITS.atOnce - (await tx.db.select({ id: running.id }).from(running).where(holdsPlace)).length;
  if (free <= 0) return;
  const ranked = rankedWaiting(tx);
  const next = await tx.db
    .select({ id: rssImports.id })
    .from(rssImports)
    .innerJoin(ranked, eq(ranked.id, rssImports.id))
    .where(lte(ranked.place, IMPORT_LIMITS.perAccount))
    .orderBy(asc(ranked.since), asc(rssImports.id))
    .limit(free)
    // a transaction that has locked a row calls this function before it commits
    .for('update', { of: rssImports, skipLocked: true });
  const ids = next.map(({ id }) => id);
  if (ids.length > 0) await start(tx, ids);
}

/** `place`: which of its account's places the import would get. */
function rankedWaiting({ db, now }: TxCtx) {
  const { id, userId, status, confirmedAt, plannedAt, waitsUntil, isFollowUp } = rssImports;
  const ofSame = and(eq(running.userId, userId), holdsPlace);
  const held = db.select({ held: sql`count(*)` }).from(running).where(ofSame);
  const since = sql<Date>`coalesce(${waitsUntil}, ${confirmedAt})`;
  const place = sql<number>`row_number() over (partition by ${userId} order by ${since}, ${id}) + (${held})`;
  const isWaiting = and(eq(rssImportItems.importId, id), eq(rssImportItems.state, 'waiting'));
  const hasWork = or(isNull(plannedAt), exists(db.select().from(rssImportItems).where(isWaiting)));
  const isResumed = and(eq(status, 'in_progress'), not(isFollowUp), lte(waitsUntil, now()), hasWork);
  return db
    .select({ id, since: since.as('since'), place: place.as('place') })
    .from(rssImports)
    .where(or(eq(status, 'confirmed'), isResumed))
    .as('ranked');
}

/**
 * The next step, because a job of the former one may still be waiting. The time in which a run waited for a place is not
 * part of its longest time.
 */
async function start(tx: TxCtx, ids: number[]): Promise<void> {
  const { startedAt, waitsUntil } = rssImports;
  const now = sql.param(tx.now(), startedAt);
  const started = await tx.db
    .update(rssImports)
    .set({
      ...{ status: 'in_progress', waitsUntil: null, updatedAt: tx.now() },
      startedAt: sql`coalesce(${startedAt} + (${now} - ${waitsUntil}), ${now})`,
      step: sql`${rssImports.step} + 1`,
    })
    .where(inArray(rssImports.id, ids))
    .returning({ importId: rssImports.id, step: rssImports.step });
  await tx.jobs.enqueueAll(runImport, started);
}
