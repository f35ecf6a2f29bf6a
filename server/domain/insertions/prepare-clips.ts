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
import type { TxCtx } from '../../runtime/ctx';
import { enqueueConversion, enqueueConversions } from './enqueue-conversions';
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
 * is not measured yet follow when it is (prepare-episode.ts). @returns how many conversions are new, or were foreseen
 */
export async function prepareClips(tx: TxCtx, scope: ClipScope): Promise<number> {
  const pairs = await pairsOf(tx, scope);
  const rows = distinctVersions(pairs).map((version) => newVersion(tx, version));
  let count = 0;
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE) {
    const wanted = await tx.db
      .insert(clipVersions)
      .values(rows.slice(at, at + INSERTED_AT_ONCE))
      // a conversion that was only foreseen comes before the others
      .onConflictDoUpdate({ ...UNIQUE, set: { isForeseen: false, enqueuedAt: null }, setWhere: IS_FORESEEN })
      .returning({ id: clipVersions.id });
    count += wanted.length;
  }
  if (count > 0)
    for (const creatorId of new Set(pairs.map((pair) => pair.creatorId))) await enqueueConversions(tx, creatorId);
  return count;
}

/** A version of a clip of a creator who wants to hear it now, which a job converts unless it exists. */
export async function prepareVersion(
  tx: TxCtx,
  creatorId: number,
  wanted: NeededVersion,
): Promise<typeof clipVersions.$inferSelect> {
  await tx.db
    .insert(clipVersions)
    .values(newVersion(tx, wanted))
    .onConflictDoUpdate({ ...UNIQUE, set: { isForeseen: false, enqueuedAt: null }, setWhere: IS_FORESEEN });
  const { clipId, encoding, loudness } = clipVersions;
  const isWanted = and(eq(clipId, wanted.clipId), eq(encoding, wanted.encoding), eq(loudness, wanted.loudness));
  const [known] = await tx.db.select().from(clipVersions).where(isWanted);
  if (known!.status === 'in_progress' && known!.enqueuedAt === null) await enqueueConversion(tx, creatorId, known!.id);
  return known!;
}

/** Starts the conversion of a new clip for the formats in which it will probably play, if nothing else waits. */
export async function foreseeVersions(tx: TxCtx, versions: NeededVersion[], creatorId: number): Promise<void> {
  if (versions.length === 0) return;
  const rows = versions.map((version) => ({ ...newVersion(tx, version), isForeseen: true }));
  await tx.db.insert(clipVersions).values(rows).onConflictDoNothing();
  await enqueueConversions(tx, creatorId);
}

const newVersion = (tx: TxCtx, version: NeededVersion) => ({
  ...version,
  status: 'in_progress' as const,
  createdAt: tx.now(),
});

const UNIQUE = { target: [clipVersions.clipId, clipVersions.encoding, clipVersions.loudness] };
const IS_FORESEEN = and(eq(clipVersions.status, 'in_progress'), clipVersions.isForeseen);

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

/** The versions that the pairs need, each once, in an order in which no two transactions wait for each other. */
function distinctVersions(pairs: Pair[]): NeededVersion[] {
  const versions = pairs.map(versionOf).filter((version) => version !== null);
  const byKey = new Map(versions.map((version) => [Object.values(version).join(), version]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, version]) => version);
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
  creatorId: clips.creatorId,
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
