import { and, asc, eq, inArray } from 'drizzle-orm';
import { keptReleases } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { KEPT_RELEASE_LIMITS } from '../../limits/episodes';
import { requireUser } from '../../policy/actor';
import { whereKept } from '../../policy/visibility';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { emailNotVerified } from '../accounts/base/errors';
import { recordAbout } from '../team/activity';
import type { ManageableEpisode } from './transitions';

/**
 * Keeps a press on 'Publish' until the user's address is verified (carry-out-releases.ts). The episode stays on hold. A
 * second press replaces the time. @param episode the row, as it is now
 * @throws account.email_not_verified if the episode is not on hold
 */
export async function keepRelease(tx: TxCtx, episode: ManageableEpisode, releaseAt: Date | null): Promise<void> {
  const { id: episodeId, heldAt } = episode;
  if (heldAt === null) throw emailNotVerified();
  const kept = { userId: requireUser(tx).userId, releaseAt, heldAt, createdAt: tx.now() };
  await tx.db
    .insert(keptReleases)
    .values({ episodeId, ...kept })
    .onConflictDoUpdate({ target: keptReleases.episodeId, set: kept });
  await recordAbout(tx, 'episode.release_kept', episode);
}

/** Call it with the locked rows when a user decides otherwise: keeps drafts, or deletes the episodes. */
export async function dropKeptReleases(tx: TxCtx, episodeIds: number[]): Promise<void> {
  await tx.db.delete(keptReleases).where(inArray(keptReleases.episodeId, episodeIds));
}

export type KeptRelease = { episodeId: number; name: string };

/** The current user's episodes that wait for their verified address, the first press first. */
export async function listKeptReleases(ctx: Ctx): Promise<KeptRelease[]> {
  return ctx.db
    .select({ episodeId: keptReleases.episodeId, name: episodes.name })
    .from(keptReleases)
    .innerJoin(
      episodes,
      // another hold than then: its state has changed since
      and(eq(episodes.id, keptReleases.episodeId), eq(episodes.heldAt, keptReleases.heldAt), whereKept()),
    )
    .where(eq(keptReleases.userId, requireUser(ctx).userId))
    .orderBy(asc(keptReleases.createdAt), asc(keptReleases.episodeId))
    .limit(KEPT_RELEASE_LIMITS.named);
}
