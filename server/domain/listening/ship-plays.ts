import { asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { playOutbox } from '~/db/schema/listening';
import { DIMENSIONS } from '~/db/values/statistics';
import type { CountedPlay, PlayStore } from '../../adapters/statistics/port';
import { STATISTICS_STORE_LIMITS } from '../../limits/statistics-store';
import { type Ctx, transact } from '../../runtime/ctx';

/**
 * Sends the counted plays to the store of statistics beside Postgres, batch by batch. What belongs to a batch is
 * committed before it is sent, so a batch that is sent again after a kill has the same plays and the same key, and the
 * store adds it once. Several processes may do this at the same time. @throws statistics.unavailable; no play is lost
 */
export async function shipPlays(ctx: Ctx): Promise<{ shipped: number }> {
  const { store } = ctx.ports.statistics;
  let shipped = 0;
  if (store === null) return { shipped };
  for (let i = 0; i < STATISTICS_STORE_LIMITS.batches; i += 1) {
    const batch = (await lookupBatch(ctx)) ?? (await formBatch(ctx));
    if (batch === null) break;
    shipped += await sendBatch(ctx, store, batch);
  }
  return { shipped };
}

/** A batch that was formed and not yet deleted. */
async function lookupBatch({ db }: Ctx): Promise<number | null> {
  const { batch } = playOutbox;
  const [row] = await db.select({ batch }).from(playOutbox).where(isNotNull(batch)).orderBy(asc(batch)).limit(1);
  return row?.batch ?? null;
}

/** Of two processes, the second one waits, and finds other plays or none. */
async function formBatch({ db }: Ctx): Promise<number | null> {
  const { id, batch } = playOutbox;
  const next = db
    .select({ id })
    .from(playOutbox)
    .where(isNull(batch))
    .orderBy(asc(id))
    .limit(STATISTICS_STORE_LIMITS.batch)
    .for('update', { skipLocked: true });
  const [formed] = await db.execute<{ batch: number | null }>(sql`
    with next as materialized (${next}), marked as (
      update play_outbox o set batch = (select max(id) from next) from next where o.id = next.id returning o.batch
    )
    select max(batch)::float8 as batch from marked`);
  return formed?.batch ?? null;
}

async function sendBatch(ctx: Ctx, store: PlayStore, batch: number): Promise<number> {
  return transact(ctx, async (tx) => {
    const rows = await tx.db
      .select()
      .from(playOutbox)
      .where(eq(playOutbox.batch, batch))
      .orderBy(asc(playOutbox.id))
      .for('update');
    // another process has sent it meanwhile
    if (rows.length === 0) return 0;
    await store.addPlays(`plays ${batch}`, rows.map(toPlay));
    await ctx.reach('statistics.shipped');
    await tx.db.delete(playOutbox).where(eq(playOutbox.batch, batch));
    return rows.length;
  });
}

function toPlay(row: typeof playOutbox.$inferSelect): CountedPlay {
  const { id, measure, creatorId: creator_id, productId: product_id, episodeId: episode_id } = row;
  const facts = Object.fromEntries(DIMENSIONS.map((name) => [name, row[name] ?? '']));
  const at = row.at.toISOString().slice(0, 19).replace('T', ' ');
  return { ...{ id, measure, creator_id, product_id, episode_id, at }, ...facts } as CountedPlay;
}
