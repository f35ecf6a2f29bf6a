import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { clips, clipVersions } from '~/db/schema/insertions';
import { CLIP_LIMITS } from '../../limits/insertions';
import { convertClip } from '../../queue/jobs/insertions';
import type { TxCtx } from '../../runtime/ctx';

/**
 * Enqueues the next conversions of a creator: a few at a time, so that a thousand of them do not delay everybody else's.
 * Each that ends calls this again. Foreseen ones follow when nothing else is left, and run after the jobs of all others.
 */
export async function enqueueConversions(tx: TxCtx, creatorId: number): Promise<void> {
  // of two conversions that end at once, the second one counts what the first has enqueued
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`conversions ${creatorId}`}, 0))`);
  await enqueueWaiting(tx, eq(clips.creatorId, creatorId));
}

/** The same for all creators of whose conversions none is enqueued, as after a job was lost. */
export const enqueueStalled = (tx: TxCtx): Promise<void> => enqueueWaiting(tx, sql`true`);

/** Enqueues one version at once, for somebody who waits to hear it, unless many wait already. */
export async function enqueueConversion(tx: TxCtx, creatorId: number, versionId: number): Promise<void> {
  const isEnqueued = and(eq(clipVersions.status, 'in_progress'), isNotNull(clipVersions.enqueuedAt));
  const [row] = await tx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(clipVersions)
    .innerJoin(clips, eq(clips.id, clipVersions.clipId))
    .where(and(isEnqueued, eq(clips.creatorId, creatorId)));
  if (row!.count >= CLIP_LIMITS.enqueued + CLIP_LIMITS.heard) return;
  await tx.db.update(clipVersions).set({ enqueuedAt: tx.now() }).where(eq(clipVersions.id, versionId));
  await tx.jobs.enqueue(convertClip, { versionId });
}

async function enqueueWaiting(tx: TxCtx, ofCreator: SQL): Promise<void> {
  const rows = await tx.db.execute<{ id: string; isForeseen: boolean }>(sql`
    with unfinished as (
      select clip_versions.id, creator_id, is_foreseen, enqueued_at is not null as is_enqueued
      from clip_versions join clips on clips.id = clip_id
      where clip_versions.status = 'in_progress' and ${ofCreator}
    ), waiting as (
      select id, creator_id, is_foreseen, row_number() over (partition by creator_id order by is_foreseen, id) as place
      from unfinished where not is_enqueued
    ), enqueued as (
      select creator_id, count(*) as total, count(*) filter (where not is_foreseen) as needed
      from unfinished where is_enqueued group by creator_id
    )
    update clip_versions set enqueued_at = ${tx.now().toISOString()}::timestamptz
    from waiting left join enqueued on enqueued.creator_id = waiting.creator_id
    where clip_versions.id = waiting.id and clip_versions.enqueued_at is null and case
      when waiting.is_foreseen then place = 1 and coalesce(total, 0) = 0
      else place <= ${CLIP_LIMITS.enqueued}::int - coalesce(needed, 0) end
    returning clip_versions.id, clip_versions.is_foreseen as "isForeseen"`);
  const payloads = (isForeseen: boolean) =>
    rows.filter((row) => row.isForeseen === isForeseen).map(({ id }) => ({ versionId: Number(id) }));
  await tx.jobs.enqueueAll(convertClip, payloads(false));
  await tx.queue.inBackground().joiningAll(tx.db)(convertClip, payloads(true));
}
