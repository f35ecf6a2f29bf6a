import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import {
  campaignClips,
  campaignEpisodes,
  clips,
  clipVersions,
  insertionCampaigns,
  replacedPassages,
} from '~/db/schema/insertions';
import { whereKept } from '../../policy/visibility';
import { convertClip } from '../../queue/jobs/insertions';
import type { TxCtx } from '../../runtime/ctx';
import { whereNotEnded } from './queries';
import { encodingOf, loudnessStep } from './rules';

/** Whose clips are prepared: those of a campaign, of a replaced passage, or all that play in an episode or of a creator. */
export type ClipScope =
  | { campaignId: number }
  | { passageIds: number[] }
  | { episodeId: number }
  | { creatorId: number };

/** Rows of one statement: a parameter for each of the columns. */
const INSERTED_AT_ONCE = 5000;

/**
 * Enqueues the conversion of clips for the episodes in which they play, in the transaction that changes either. Each
 * clip is converted once for each encoding and loudness that occurs, and only if it was not before. Episodes whose sound
 * is not measured yet follow when it is (prepare-episode.ts). @returns how many conversions are new
 */
export async function prepareClips(tx: TxCtx, scope: ClipScope): Promise<number> {
  const wanted = distinctVersions(await pairsOf(tx, scope));
  const rows = wanted.map((version) => ({ ...version, status: 'in_progress' as const, createdAt: tx.now() }));
  let count = 0;
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE) {
    const inserted = await tx.db
      .insert(clipVersions)
      .values(rows.slice(at, at + INSERTED_AT_ONCE))
      .onConflictDoNothing()
      .returning({ versionId: clipVersions.id });
    await tx.jobs.enqueueAll(convertClip, inserted);
    count += inserted.length;
  }
  return count;
}

/** A version of a clip, which a job converts unless it exists. */
export async function prepareVersion(tx: TxCtx, wanted: NeededVersion): Promise<typeof clipVersions.$inferSelect> {
  const [inserted] = await tx.db
    .insert(clipVersions)
    .values({ ...wanted, status: 'in_progress', createdAt: tx.now() })
    .onConflictDoNothing()
    .returning();
  if (inserted) await tx.jobs.enqueue(convertClip, { versionId: inserted.id });
  const { clipId, encoding, loudness } = clipVersions;
  const isWanted = and(eq(clipId, wanted.clipId), eq(encoding, wanted.encoding), eq(loudness, wanted.loudness));
  const [known] = inserted ? [inserted] : await tx.db.select().from(clipVersions).where(isWanted);
  return known!;
}

/** A clip with the format of an episode in which it plays. Each pair occurs once, however many episodes have it. */
async function pairsOf(tx: TxCtx, scope: ClipScope) {
  const inCampaigns = 'passageIds' in scope ? sql`false` : whereInScope(scope);
  const inPassages =
    'campaignId' in scope
      ? sql`false`
      : 'passageIds' in scope
        ? inArray(replacedPassages.id, scope.passageIds)
        : 'creatorId' in scope
          ? eq(replacedPassages.creatorId, scope.creatorId)
          : eq(replacedPassages.episodeId, scope.episodeId);
  const played = tx.db
    .select(PAIR)
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .innerJoin(campaignClips, eq(campaignClips.campaignId, insertionCampaigns.id))
    .innerJoin(clips, eq(clips.id, campaignClips.clipId))
    .innerJoin(episodes, eq(episodes.productId, insertionCampaigns.productId))
    .where(and(insertionCampaigns.isComplete, whereNotEnded(tx.now()), whereSelected, MAY_CONVERT, inCampaigns));
  const replacing = tx.db
    .select(PAIR)
    .from(replacedPassages)
    .innerJoin(clips, eq(clips.id, replacedPassages.clipId))
    .innerJoin(episodes, eq(episodes.id, replacedPassages.episodeId))
    .where(and(MAY_CONVERT, inPassages));
  return union(played, replacing);
}

function whereInScope(scope: Exclude<ClipScope, { passageIds: number[] }>): SQL {
  if ('campaignId' in scope) return eq(insertionCampaigns.id, scope.campaignId);
  return 'creatorId' in scope ? eq(insertionCampaigns.creatorId, scope.creatorId) : eq(episodes.id, scope.episodeId);
}

/** The versions that the pairs need, each once. */
function distinctVersions(pairs: Pair[]): NeededVersion[] {
  const versions = pairs.map(versionOf).filter((version) => version !== null);
  return [...new Map(versions.map((version) => [Object.values(version).join(), version])).values()];
}

export type NeededVersion = { clipId: number; encoding: string; loudness: number };
type Pair = Pick<typeof episodes.$inferSelect, 'sampleRate' | 'channels' | 'bitrate' | 'loudnessTenths'> & {
  clipId: number;
};

/** Null for an episode whose format is not known. */
export function versionOf({ clipId, sampleRate, channels, bitrate, loudnessTenths }: Pair): NeededVersion | null {
  if (sampleRate === null || channels === null || bitrate === null) return null;
  return { clipId, encoding: encodingOf({ sampleRate, channels, bitrate }), loudness: loudnessStep(loudnessTenths) };
}

const PAIR = {
  clipId: clips.id,
  sampleRate: episodes.sampleRate,
  channels: episodes.channels,
  bitrate: episodes.bitrate,
  loudnessTenths: episodes.loudnessTenths,
};

/** The episode's sound is measured, or given up. */
export const whereMeasured = (): SQL | undefined =>
  and(isNotNull(episodes.audioKey), or(isNotNull(episodes.peaksKey), isNotNull(episodes.soundTriedAt)), whereKept());

/** The clip is checked, too. */
const MAY_CONVERT = and(eq(clips.status, 'ready'), whereMeasured());

const releaseDay = sql`(${episodes.releaseAt} at time zone ${creators.timeZone})::date`;

/** The episodes that a campaign has selected. Those without a release day yet may become new ones. */
const whereSelected: SQL = sql`case ${insertionCampaigns.selection}
  when 'all' then true
  when 'chosen' then exists (select from ${campaignEpisodes}
    where ${campaignEpisodes.campaignId} = ${insertionCampaigns.id} and ${campaignEpisodes.episodeId} = ${episodes.id})
  when 'before' then ${releaseDay} < ${insertionCampaigns.selectionDay}
  else ${or(isNull(episodes.releaseAt), sql`${releaseDay} >= ${insertionCampaigns.selectionDay}`)} end`;
