import { sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { earlier } from '../../base/time';
import { RENDITION_LIMITS } from '../../limits/insertions';
import { refreshServed } from '../../queue/jobs/insertions';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';

/**
 * Deletes downloads of renditions whose 24 hours have passed, and returns the room in caps that was reserved for clips
 * that were not delivered. Those of days whose logs are being imported stay, so that no line counts a clip twice. Safe to
 * repeat.
 */
export async function releaseReservations(ctx: Ctx): Promise<void> {
  while ((await transact(ctx, releaseSome)) === RENDITION_LIMITS.swept);
}

async function releaseSome(tx: TxCtx): Promise<number> {
  const before = earlier(tx.now(), RENDITION_LIMITS.window).toISOString();
  const rows = await tx.db.execute<{ reserved: string[] }>(sql`
    delete from rendition_downloads d using (
      select day, episode_id, listener_key from rendition_downloads
      where began_at <= ${before}::timestamptz
        and not exists (select from log_keys k where k.day = rendition_downloads.day)
      order by began_at limit ${RENDITION_LIMITS.swept} for update skip locked) old
    where d.day = old.day and d.episode_id = old.episode_id and d.listener_key = old.listener_key
    returning d.reserved_ids as reserved`);
  const ids = rows.flatMap(({ reserved }) => reserved.map(Number));
  if (ids.length > 0) {
    // a paced campaign has room again for its share of the day
    const roomy = await tx.db.execute<{ product: string | null }>(sql`
      update insertion_campaigns c set reserved = c.reserved - a.reserved
      from (
        select c.id, r.reserved, c.impressions + c.reserved >= c.cap or c.is_paced as was_full
        from insertion_campaigns c
        join (select id, count(*)::int as reserved from unnest(${plainArray(ids)}::bigint[]) id group by id) r on r.id = c.id
        order by c.id for no key update of c) a
      where c.id = a.id
      returning case when a.was_full then c.product_id end as product`);
    const shows = new Set(roomy.flatMap(({ product }) => (product === null ? [] : Number(product))));
    await tx.jobs.enqueueAll(
      refreshServed,
      [...shows].map((productId) => ({ productId })),
    );
  }
  return rows.length;
}

/** Deletes renditions of former campaigns that nobody has got for some days, and their tags. Apps may still ask for them. */
export async function sweepRenditions(ctx: Ctx): Promise<void> {
  const before = earlier(ctx.now(), RENDITION_LIMITS.unusedFor).toISOString();
  await transact(ctx, async (tx) => {
    const rows = await tx.db.execute<{ key: string | null }>(sql`
      delete from renditions where id in (
        select id from renditions r
        where created_at < ${before}::timestamptz
          and not exists (select from served_renditions s where s.rendition_id = r.id)
          and not exists (select from rendition_downloads d where d.rendition_id = r.id)
        order by id limit ${RENDITION_LIMITS.removed} for update skip locked)
      returning head_key as key`);
    const keys = rows.flatMap(({ key }) => key ?? []);
    if (keys.length > 0) await tx.jobs.enqueue(removeObjects, { keys });
  });
}
