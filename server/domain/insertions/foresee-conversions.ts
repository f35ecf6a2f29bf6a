import { and, desc, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { CLIP_LIMITS } from '../../limits/insertions';
import type { TxCtx } from '../../runtime/ctx';
import { foreseeVersions, type NeededVersion, versionOf, whereMeasured } from './prepare-clips';

/**
 * Converts a new clip for the commonest formats of its creator's latest episodes, in the background: a campaign that is
 * saved some minutes later plays at once. Others are converted when something needs them.
 */
export async function foreseeConversions(tx: TxCtx, clip: { id: number; creatorId: number }): Promise<void> {
  const { sampleRate, channels, bitrate, loudnessTenths, creatorId, releaseAt, id } = episodes;
  const latest = await tx.db
    .select({ sampleRate, channels, bitrate, loudnessTenths })
    .from(episodes)
    .where(and(eq(creatorId, clip.creatorId), eq(episodes.status, 'published'), whereMeasured()))
    .orderBy(desc(releaseAt), desc(id))
    .limit(CLIP_LIMITS.sampled);
  const versions = latest.flatMap((format) => versionOf({ ...format, clipId: clip.id }) ?? []);
  await foreseeVersions(tx, commonest(versions), clip.creatorId);
}

function commonest(versions: NeededVersion[]): NeededVersion[] {
  const counted = new Map<string, { version: NeededVersion; count: number }>();
  for (const version of versions) {
    const key = Object.values(version).join();
    counted.set(key, { version, count: (counted.get(key)?.count ?? 0) + 1 });
  }
  const sorted = [...counted.values()].sort((a, b) => b.count - a.count);
  return sorted.slice(0, CLIP_LIMITS.foreseen).map(({ version }) => version);
}
