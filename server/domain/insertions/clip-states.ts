import { and, eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, campaignEpisodes, clips, clipVersions, insertionCampaigns } from '~/db/schema/insertions';
import type { ClipState } from '~/db/values/insertions';
import { dayIn } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import { type NeededVersion, versionOf, whereMeasured } from './prepare-clips';
import { isSelected } from './rules';

/** `ready` of `total` conversions are done. */
export type ClipsProgress = { state: ClipState; ready: number; total: number };
type Db = Pick<Ctx, 'db'>;

const keyOf = ({ clipId, encoding, loudness }: NeededVersion) => [clipId, encoding, loudness].join();

/**
 * How far the conversions are that each of the campaigns needs for its episodes, by campaign: failed if one has failed,
 * ready if all are, also if none is needed yet. Each episode is read once, and not once for each clip of each campaign:
 * a show has 1,000 of them.
 */
export async function clipsProgressOf(ctx: Db, campaignIds: readonly number[]): Promise<Map<number, ClipsProgress>> {
  const ids = [...campaignIds];
  if (ids.length === 0) return new Map();
  const { id, productId, selection, selectionDay } = insertionCampaigns;
  const [campaigns, played, chosen] = await Promise.all([
    ctx.db
      .select({ id, productId, selection, selectionDay })
      .from(insertionCampaigns)
      .where(inArray(id, ids))
      .orderBy(id),
    ctx.db
      .select({ campaignId: campaignClips.campaignId, clipId: campaignClips.clipId })
      .from(campaignClips)
      .innerJoin(clips, eq(clips.id, campaignClips.clipId))
      .where(and(inArray(campaignClips.campaignId, ids), eq(clips.status, 'ready')))
      .orderBy(campaignClips.campaignId),
    ctx.db
      .select()
      .from(campaignEpisodes)
      .where(inArray(campaignEpisodes.campaignId, ids))
      .orderBy(campaignEpisodes.episodeId),
  ]);
  const [measured, known] = await Promise.all([
    listMeasured(ctx, [...new Set(campaigns.map((campaign) => campaign.productId))]),
    stateOfVersions(ctx, [...new Set(played.map(({ clipId }) => clipId))]),
  ]);
  const isChosen = new Set(chosen.map(({ campaignId, episodeId }) => `${campaignId} ${episodeId}`));
  return new Map(
    campaigns.map((campaign) => {
      const own = measured.filter(
        (episode) =>
          episode.productId === campaign.productId &&
          isSelected({ ...campaign, isChosen: isChosen.has(`${campaign.id} ${episode.id}`) }, episode.releaseDay),
      );
      const formats = new Map(
        own.flatMap(({ format }) => (format ? [[`${format.encoding} ${format.loudness}`, format]] : [])),
      );
      const clipIds = played.filter(({ campaignId }) => campaignId === campaign.id).map(({ clipId }) => clipId);
      const needed = clipIds.flatMap((clipId) => [...formats.values()].map((format) => keyOf({ ...format, clipId })));
      return [campaign.id, progressOf(needed.map((key) => known.get(key) ?? 'in_progress'))];
    }),
  );
}

/** The episodes of some shows in whose format clips are converted. */
async function listMeasured({ db }: Db, productIds: number[]) {
  const { id, productId, releaseAt, sampleRate, channels, bitrate, loudnessTenths } = episodes;
  const rows = await db
    .select({ id, productId, releaseAt, zone: creators.timeZone, sampleRate, channels, bitrate, loudnessTenths })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .where(and(inArray(productId, productIds), whereMeasured()))
    .orderBy(id);
  return rows.map(({ id: episodeId, productId: ofProduct, releaseAt: at, zone, ...format }) => ({
    id: episodeId,
    productId: ofProduct,
    releaseDay: at && dayIn(at, zone),
    format: versionOf({ ...format, clipId: 0 }),
  }));
}

async function stateOfVersions({ db }: Db, clipIds: number[]): Promise<Map<string, ClipState>> {
  if (clipIds.length === 0) return new Map();
  const { clipId, encoding, loudness, status } = clipVersions;
  const rows = await db
    .select({ clipId, encoding, loudness, status })
    .from(clipVersions)
    .where(inArray(clipId, clipIds))
    .orderBy(clipVersions.id);
  return new Map(rows.map((version) => [keyOf(version), version.status]));
}

function progressOf(states: ClipState[]): ClipsProgress {
  const ready = states.filter((state) => state === 'ready').length;
  const state = states.includes('failed') ? 'failed' : ready === states.length ? 'ready' : 'in_progress';
  return { state, ready, total: states.length };
}
