import { and, eq, lte } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { goLive as goLiveJob } from '~/jobs/catalog';
import { type Ctx, type TxCtx, transact } from '../../ctx';
import { type Allowed, authorize } from '../../policy/authorize';
import { markProductChanged } from '../products/versions';
import { alreadyChanged } from './errors';
import { countBalance, type EpisodeRow, findEpisodeRecord, findEpisodeRow } from './queries';
import { assertBalance, assertReleaseAllowed, type EpisodeStatus, mayBecome, statusAt } from './rules';
import type { FindEpisode } from './schema';
import { type EpisodeView, toEpisodeView } from './views';

type Manageable = Allowed<'episode.manage', EpisodeRow>;

/**
 * Moves an episode from the status it was read in to another; whoever comes second learns of it.
 * @throws episode.already_changed
 */
async function transition(tx: TxCtx, episode: Manageable, to: EpisodeStatus, releaseAt: Date | null): Promise<void> {
  if (!mayBecome(episode.status, to)) throw alreadyChanged();
  const moved = await tx.db
    .update(episodes)
    .set({ status: to, releaseAt, heldAt: to === 'on_hold' ? tx.now() : null, updatedAt: tx.now() })
    .where(and(eq(episodes.id, episode.id), eq(episodes.status, episode.status)))
    .returning({ id: episodes.id });
  if (moved.length === 0) throw alreadyChanged();
  if (to === 'scheduled' && releaseAt) {
    await tx.jobs.enqueue(goLiveJob, { episodeId: episode.id }, { at: releaseAt });
  }
  await markProductChanged(tx, episode.productId);
}

/** Publishes now, or at a moment: what was held back, waits, or should wait longer. @throws episode.publish_time_in_past */
export async function releaseEpisode(
  ctx: Ctx,
  input: FindEpisode & { releaseDate?: Date | null },
): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const now = ctx.now();
  assertReleaseAllowed(input.releaseDate, now);
  const releaseAt = input.releaseDate ?? now;
  await transact(ctx, async (tx) => {
    await transition(tx, episode, statusAt(releaseAt, now), releaseAt);
    assertBalance(found.product.priceMinor !== null, await countBalance(tx, episode.productId));
  });
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, episode.id));
}

/** Withholds an episode: it leaves the page and the feed until it is released again. */
export async function holdEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, (tx) => transition(tx, episode, 'on_hold', episode.releaseAt));
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, id));
}

/** Another release time for an episode that is being edited; what is not out stays as it is, with the new time. */
export async function reschedule(tx: TxCtx, episode: Manageable, releaseDate: Date | null): Promise<void> {
  const now = tx.now();
  const waits = episode.status === 'scheduled' || episode.status === 'published';
  if (waits) return transition(tx, episode, statusAt(releaseDate ?? now, now), releaseDate ?? now);
  await tx.db.update(episodes).set({ releaseAt: releaseDate }).where(eq(episodes.id, episode.id));
}

/** The job of a scheduled episode's moment. Another moment by now, or held back since: nothing happens. */
export async function goLive(ctx: Ctx, { episodeId }: { episodeId: number }): Promise<void> {
  const episode = authorize(ctx, 'episode.manage', await findEpisodeRow(ctx, episodeId));
  await transact(ctx, async (tx) => {
    const live = await tx.db
      .update(episodes)
      .set({ status: 'published', updatedAt: tx.now() })
      .where(and(eq(episodes.id, episode.id), eq(episodes.status, 'scheduled'), lte(episodes.releaseAt, tx.now())))
      .returning({ id: episodes.id });
    if (live.length > 0) return markProductChanged(tx, episode.productId);
    // the queue's clock may run ahead of ours, and the time may have been moved: come back then
    const waits = episode.status === 'scheduled' && episode.releaseAt && episode.releaseAt > tx.now();
    if (waits) await tx.jobs.enqueue(goLiveJob, { episodeId }, { at: episode.releaseAt ?? undefined });
  });
}
