import { and, eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, clips, clipVersions, insertionCampaigns } from '~/db/schema/insertions';
import type { ClipState } from '~/db/values/insertions';
import type { Ctx } from '../../runtime/ctx';
import { MAY_CONVERT, type NeededVersion, PAIR, versionOf, whereSelected } from './prepare-clips';

/** `ready` of `total` conversions are done. */
export type ClipsProgress = { state: ClipState; ready: number; total: number };

const keyOf = ({ clipId, encoding, loudness }: NeededVersion) => [clipId, encoding, loudness].join();

/**
 * How far the conversions are that each of the campaigns needs for its episodes, by campaign: failed if one has failed,
 * ready if all are, also if none is needed yet.
 */
export async function clipsProgressOf(
  ctx: Pick<Ctx, 'db'>,
  campaignIds: readonly number[],
): Promise<Map<number, ClipsProgress>> {
  if (campaignIds.length === 0) return new Map();
  const pairs = await ctx.db
    .selectDistinct({ campaignId: insertionCampaigns.id, ...PAIR })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .innerJoin(campaignClips, eq(campaignClips.campaignId, insertionCampaigns.id))
    .innerJoin(clips, eq(clips.id, campaignClips.clipId))
    .innerJoin(episodes, eq(episodes.productId, insertionCampaigns.productId))
    .where(and(inArray(insertionCampaigns.id, [...campaignIds]), whereSelected, MAY_CONVERT));
  const clipIds = [...new Set(pairs.map(({ clipId }) => clipId))];
  const { clipId, encoding, loudness, status } = clipVersions;
  const versions =
    clipIds.length === 0
      ? []
      : await ctx.db
          .select({ clipId, encoding, loudness, status })
          .from(clipVersions)
          .where(inArray(clipId, clipIds))
          .orderBy(clipVersions.id);
  const known = new Map(versions.map((version) => [keyOf(version), version.status]));
  const needed = new Map(campaignIds.map((id) => [id, new Set<string>()]));
  for (const pair of pairs) {
    const version = versionOf(pair);
    if (version) needed.get(pair.campaignId)?.add(keyOf(version));
  }
  return new Map(
    [...needed].map(([id, keys]) => [id, progressOf([...keys].map((key) => known.get(key) ?? 'in_progress'))]),
  );
}

function progressOf(states: ClipState[]): ClipsProgress {
  const ready = states.filter((state) => state === 'ready').length;
  const state = states.includes('failed') ? 'failed' : ready === states.length ? 'ready' : 'in_progress';
  return { state, ready, total: states.length };
}
