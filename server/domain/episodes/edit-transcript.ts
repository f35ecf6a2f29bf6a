import { and, desc, eq, sql } from 'drizzle-orm';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { LANGUAGES } from '~/locales/languages';
import { earlier, later } from '../../base/time';
import { MEGABYTES } from '../../limits/sizes';
import { TRANSCRIPT_EDITING_LIMITS, TRANSCRIPT_LIMITS } from '../../limits/transcripts';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { applyChanges, isInOrder } from '../../transcript/edit-cues';
import { type Cue, isTimed } from '../../transcript/model';
import { wordsOf } from '../../transcript/words';
import { recordAbout } from '../team/activity';
import { alreadyChanged, transcriptFaults, transcriptNotFound, transcriptOverLimit, transcriptUnfit } from './errors';
import { lookupGlossary } from './glossary';
import { type EpisodeRow, findEpisodeRecord, lockEpisodeRow } from './queries';
import type { FindEpisode, RestoreTranscript, SaveTranscript } from './schema';
import { markTranscriptChanged } from './store-transcript';
import { lookupRow } from './transcripts';

/** A transcript in its editor. `version`: each save names the one that it changes. */
export type EditedTranscript = {
  version: Date;
  cues: Cue[];
  isEdited: boolean;
  /** Names of people in the show's transcripts and episodes, in alphabetical order, without `Speaker 1` and the like. */
  speakers: string[];
  /** The lines of the show's glossary. */
  glossary: string[];
};

/** @throws episode.not_found, transcript.not_found */
export async function editTranscript(ctx: Ctx, input: FindEpisode): Promise<EditedTranscript> {
  const { episode, row } = await findStored(ctx, input);
  const { productId } = episode;
  const [speakers, glossary] = await Promise.all([speakersOf(ctx, productId), lookupGlossary(ctx, productId)]);
  const isEdited = row.original !== null;
  return { version: row.updatedAt, cues: row.cues, isEdited, speakers, glossary: glossary?.lines ?? [] };
}

/** The passages as they were uploaded or heard. @throws episode.not_found, transcript.not_found */
export async function originalTranscript(ctx: Ctx, input: FindEpisode): Promise<Cue[]> {
  const { row } = await findStored(ctx, input);
  return row.original ?? row.cues;
}

async function findStored(ctx: Ctx, { id, kind }: FindEpisode) {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const row = await lookupRow(ctx, episode.id);
  if (!row) throw transcriptNotFound();
  return { episode, row };
}

/** The transcript that the caller has read. @throws episode.already_changed if it is another one by now */
async function findVersion(ctx: Ctx, { editOf, ...episode }: FindEpisode & { editOf: Date }) {
  const stored = await findStored(ctx, episode);
  if (stored.row.updatedAt.getTime() !== editOf.getTime()) throw alreadyChanged();
  await ctx.reach('passages.read');
  return stored;
}

/** Reads the latest episodes only: each transcript may have thousands of passages. */
async function speakersOf({ db, translate }: Pick<Ctx, 'db' | 'translate'>, productId: number): Promise<string[]> {
  const isOfShow = and(eq(episodes.productId, productId), whereKept());
  const named = db
    .select({ people: episodes.people })
    .from(episodes)
    .where(isOfShow)
    .orderBy(desc(episodes.id))
    .limit(TRANSCRIPT_EDITING_LIMITS.transcripts);
  const latest = db
    .select({ cues: episodeTranscripts.cues })
    .from(episodeTranscripts)
    .innerJoin(episodes, eq(episodes.id, episodeTranscripts.episodeId))
    .where(isOfShow)
    .orderBy(desc(episodes.id))
    .limit(TRANSCRIPT_EDITING_LIMITS.transcripts);
  const rows = await db.execute<{ name: string }>(sql`
    select distinct name from (
      select cue ->> 'speaker' as name from ${latest.as('latest')}, jsonb_array_elements(latest.cues) cue
      union all
      select person ->> 'name' from ${named.as('named')}, jsonb_array_elements(named.people) person
    ) found where name is not null order by name limit ${TRANSCRIPT_EDITING_LIMITS.speakers}`);
  const numbered = new Set(LANGUAGES.map((language) => translate('content:speaker', { number: 0 }, language)));
  return rows.flatMap(({ name }) => (numbered.has(name.replace(/\d+/, '0')) ? [] : name));
}

/**
 * Changes passages of the transcript that the caller has read. Words keep their times only if there is one for each.
 * @returns the version after it
 * @throws episode.not_found, transcript.not_found, episode.already_changed, transcript.changes_unfit, transcript.*
 */
export async function saveTranscript(ctx: Ctx, input: SaveTranscript): Promise<{ version: Date }> {
  const { episode, row } = await findVersion(ctx, input);
  const changes = input.changes.map((change) => ({ ...change, cues: change.cues.map(withFittingWords) }));
  const cues = applyChanges(row.cues, changes);
  if (!cues || !isInOrder(cues)) throw transcriptUnfit();
  if (cues.length === 0) throw transcriptFaults.empty();
  if (cues.length > TRANSCRIPT_LIMITS.cues) throw transcriptFaults.too_many_cues({ max: TRANSCRIPT_LIMITS.cues });
  // one that is too long already, as of an engine, can be shortened in several saves
  if (charactersOf(cues) > Math.max(TRANSCRIPT_LIMITS.maxBytes, charactersOf(row.cues)))
    throw transcriptOverLimit({ megabytes: TRANSCRIPT_LIMITS.maxBytes / MEGABYTES });
  return transact(ctx, (tx) => replaceCues(tx, episode, { row, cues, original: row.original ?? row.cues }));
}

const charactersOf = (cues: readonly Cue[]): number => cues.reduce((sum, { text }) => sum + text.length, 0);

function withFittingWords({ words, ...cue }: Cue): Cue {
  const isFitting = words && isTimed(cue) && words.length === wordsOf(cue.text).length && words.every(isSpan);
  return isFitting ? { ...cue, words } : cue;
}

const isSpan = ([startMs, endMs]: [number, number], index: number, all: [number, number][]) =>
  startMs <= endMs && startMs >= (all[index - 1]?.[0] ?? 0);

/**
 * Puts the passages back as they were uploaded or heard.
 * @throws episode.not_found, transcript.not_found, episode.already_changed
 */
export async function restoreTranscript(ctx: Ctx, input: RestoreTranscript): Promise<{ version: Date }> {
  const { episode, row } = await findVersion(ctx, input);
  return transact(ctx, (tx) => replaceCues(tx, episode, { row, cues: row.original ?? row.cues, original: null }));
}

type Stored = NonNullable<Awaited<ReturnType<typeof lookupRow>>>;
type Edit = { row: Stored; cues: Cue[]; original: Cue[] | null };

/** Two saves within a millisecond have different versions, too. */
async function replaceCues(tx: TxCtx, episode: EpisodeRow, { row, cues, original }: Edit) {
  await lockEpisodeRow(tx, episode.id);
  const now = tx.now();
  const version = now > row.updatedAt ? now : later(row.updatedAt, 1);
  const stored = await tx.db
    .update(episodeTranscripts)
    .set({ cues, original, updatedAt: version })
    .where(and(eq(episodeTranscripts.episodeId, episode.id), eq(episodeTranscripts.updatedAt, row.updatedAt)))
    .returning({ id: episodeTranscripts.episodeId });
  if (stored.length === 0) throw alreadyChanged();
  const isFirst = row.original === null || row.updatedAt < earlier(now, TRANSCRIPT_EDITING_LIMITS.recordedEvery);
  if (isFirst) await recordAbout(tx, 'episode.transcript_changed', episode);
  await markTranscriptChanged(tx, episode);
  return { version };
}
