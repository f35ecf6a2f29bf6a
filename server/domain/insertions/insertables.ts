import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import {
  campaignClips,
  campaignEpisodes,
  clipVersions,
  insertionCampaigns,
  insertionPoints,
  replacedPassages,
} from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { dayIn } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import type { Insertable, Insertables, Passage, ReadyClip } from './choose-clips';
import { mayPlay } from './queries';
import type { EpisodeSource } from './renditions';
import { encodingOf, loudnessStep } from './rules';

type Reads = Pick<Ctx, 'db' | 'now'>;

/** An episode's file, and what can be inserted into it. */
export type InsertableEpisode = Insertables & { source: EpisodeSource; zone: string };

const SOURCE = {
  id: episodes.id,
  creatorId: episodes.creatorId,
  audioKey: episodes.audioKey,
  audioSha256: episodes.audioSha256,
  servedHead: episodes.servedHead,
  durationMs: episodes.durationMs,
  sampleRate: episodes.sampleRate,
  channels: episodes.channels,
  bitrate: episodes.bitrate,
  loudnessTenths: episodes.loudnessTenths,
  releaseAt: episodes.releaseAt,
};
type SourceRow = Pick<typeof episodes.$inferSelect, keyof typeof SOURCE>;

/**
 * Loads what can be inserted into some episodes of one show, in a fixed number of queries. Episodes without a checked
 * file are left out.
 */
export async function loadInsertables(
  { db, now }: Reads,
  productId: number,
  episodeIds: number[],
): Promise<InsertableEpisode[]> {
  const [shows, rows, campaigns, chosen, points, passages] = await Promise.all([
    db
      .select({ zone: creators.timeZone, insertionFreeSince: products.insertionFreeSince })
      .from(products)
      .innerJoin(creators, eq(creators.id, products.creatorId))
      .where(eq(products.id, productId)),
    db
      .select(SOURCE)
      .from(episodes)
      .where(and(eq(episodes.productId, productId), inArray(episodes.id, episodeIds)))
      .orderBy(asc(episodes.id)),
    loadCampaigns({ db, now }, productId),
    db
      .select()
      .from(campaignEpisodes)
      .where(inArray(campaignEpisodes.episodeId, episodeIds))
      .orderBy(asc(campaignEpisodes.campaignId)),
    db
      .select({ episodeId: insertionPoints.episodeId, atMs: insertionPoints.atMs })
      .from(insertionPoints)
      .where(inArray(insertionPoints.episodeId, episodeIds))
      .orderBy(asc(insertionPoints.episodeId), asc(insertionPoints.atMs)),
    db
      .select()
      .from(replacedPassages)
      .where(inArray(replacedPassages.episodeId, episodeIds))
      .orderBy(asc(replacedPassages.episodeId), asc(replacedPassages.fromMs)),
  ]);
  const clipIds = [...campaigns.flatMap(({ clipIds }) => clipIds), ...passages.flatMap(({ clipId }) => clipId ?? [])];
  const versions = await loadVersions(db, {
    clipIds,
    encodings: [...new Set(rows.flatMap((row) => encodingIn(row) ?? []))],
  });
  const { zone = 'UTC', insertionFreeSince = null } = shows[0] ?? {};
  const isChosen = new Set(chosen.map(({ campaignId, episodeId }) => `${campaignId} ${episodeId}`));
  return rows.flatMap((row) => {
    const source = toSource(row);
    if (!source) return [];
    const readyOf = (clipId: number) => readyVersion(versions.get(clipId) ?? [], clipId, row);
    const found: InsertableEpisode = {
      source,
      zone,
      insertionFreeSince,
      today: dayIn(now(), zone),
      releaseDay: row.releaseAt && dayIn(row.releaseAt, zone),
      durationMs: row.durationMs ?? 0,
      points: points.filter(({ episodeId }) => episodeId === row.id).map(({ atMs }) => atMs),
      passages: passages
        .filter((each) => each.episodeId === row.id && isOf(each, row))
        .flatMap((each) => toPassage(each, readyOf)),
      campaigns: campaigns.map(
        ({ clipIds, ...campaign }): Insertable => ({
          ...campaign,
          isChosen: isChosen.has(`${campaign.id} ${row.id}`),
          clips: clipIds.flatMap((id) => readyOf(id) ?? []),
        }),
      ),
    };
    return [found];
  });
}

/** The campaigns of a show that may play, with the ids of their clips in their order. */
function loadCampaigns({ db, now }: Reads, productId: number) {
  const c = insertionCampaigns;
  const clipIds = sql<number[]>`coalesce((
    select json_agg(${campaignClips.clipId} order by ${campaignClips.rank}, ${campaignClips.clipId})
    from ${campaignClips} where ${eq(campaignClips.campaignId, c.id)}), '[]'::json)`;
  const { id, kind, place, number, selection, selectionDay, rank, inPublicFeed, inPrivateFeeds, inWebPlayer } = c;
  const { countries, silenceBeforeMs, silenceAfterMs } = c;
  const { isComplete, isActive, failureReason, firstDay, lastDay, cap, impressions, endedAt } = c;
  return db
    .select({
      ...{ id, kind, place, number, selection, selectionDay, rank, inPublicFeed, inPrivateFeeds, inWebPlayer },
      ...{ countries, silenceBeforeMs, silenceAfterMs },
      ...{ isComplete, isActive, failureReason, firstDay, lastDay, cap, impressions, endedAt, clipIds },
    })
    .from(c)
    .where(and(eq(c.productId, productId), mayPlay(now())))
    .orderBy(asc(c.id));
}

type Version = { clipId: number; id: number; encoding: string; loudness: number };

type Wanted = { clipIds: number[]; encodings: string[] };

async function loadVersions(db: Ctx['db'], { clipIds, encodings }: Wanted): Promise<Map<number, Version[]>> {
  if (clipIds.length === 0 || encodings.length === 0) return new Map();
  const { clipId, id, encoding, loudness, status } = clipVersions;
  const rows = await db
    .select({ clipId, id, encoding, loudness })
    .from(clipVersions)
    .where(and(inArray(clipId, [...new Set(clipIds)]), inArray(encoding, encodings), eq(status, 'ready')))
    .orderBy(asc(clipId), asc(id));
  const byClip = new Map<number, Version[]>();
  for (const row of rows) byClip.set(row.clipId, [...(byClip.get(row.clipId) ?? []), row]);
  return byClip;
}

/** The version in the episode's encoding whose loudness is nearest: a new measurement must not stop a campaign. */
function readyVersion(versions: Version[], clipId: number, row: SourceRow): ReadyClip | null {
  const { loudnessTenths } = row;
  const encoding = encodingIn(row);
  const distance = ({ loudness }: Version) => Math.abs(loudness - loudnessStep(loudnessTenths));
  const [nearest] = versions
    .filter((version) => version.encoding === encoding)
    .sort((a, b) => distance(a) - distance(b) || a.id - b.id);
  return nearest ? { clipId, versionId: nearest.id } : null;
}

const encodingIn = ({ sampleRate, channels, bitrate }: SourceRow): string | null =>
  sampleRate === null || channels === null || bitrate === null ? null : encodingOf({ sampleRate, channels, bitrate });

/** Passages of a file that was replaced would cut something else out of the new one. */
const isOf = (passage: { audioKey: string | null }, { audioKey }: SourceRow) =>
  passage.audioKey === null || passage.audioKey === audioKey;

/** A passage stays as it is until the clip that replaces it is ready. */
function toPassage(
  { fromMs, toMs, clipId }: typeof replacedPassages.$inferSelect,
  readyOf: (clipId: number) => ReadyClip | null,
): Passage[] {
  const clip = clipId === null ? null : readyOf(clipId);
  return clipId !== null && clip === null ? [] : [{ fromMs, toMs, clip }];
}

function toSource({ id, creatorId, audioKey, audioSha256, servedHead }: SourceRow): EpisodeSource | null {
  if (audioKey === null || audioSha256 === null) return null;
  return { episodeId: id, creatorId, audioKey, audioSha256, servedHead };
}
