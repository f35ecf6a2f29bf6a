import { eq, sql } from 'drizzle-orm';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { momentFragment, transcriptPath } from '../../base/public-paths';
import { TRANSCRIPT_LIMITS } from '../../limits/transcripts';
import { authorize, may } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { isUnsure } from '../../transcript/edit-cues';
import { editableText } from '../../transcript/edited-text';
import { type Cue, isTimed, type TranscriptSource, type WordTime } from '../../transcript/model';
import { parseEditedText, parseTranscript } from '../../transcript/parse-transcript';
import { formatsOf, type TranscriptFormat, transcriptHtml, writeTranscript } from '../../transcript/write-transcript';
import { recordAbout } from '../team/activity';
import { alreadyChanged, transcriptFaults, transcriptNotFound } from './errors';
import { type EpisodeRecord, factsOf, findEpisodeRecord, lockEpisodeRow, selectEpisodes } from './queries';
import type { FindEpisode, UploadTranscript } from './schema';
import { markTranscriptChanged, storeTranscript } from './store-transcript';

type Reader = Pick<Ctx, 'db' | 'actor' | 'now'>;

/** A transcript on its owner's screen. */
export type TranscriptView = {
  source: TranscriptSource;
  fileName: string;
  language: string;
  updatedAt: Date;
  cues: number;
  hasTimes: boolean;
  /** How many cues somebody should look at. */
  unsure: number;
  speakers: string[];
  /** The first cues. */
  excerpt: Cue[];
  /** The words of all cues, for a text area; null if they are too long for one. */
  text: string | null;
  downloads: { format: TranscriptFormat; url: string }[];
};

/** The transcript for the owner's screen; null without one. @throws episode.not_found */
export async function ownTranscript(ctx: Ctx, { id, kind }: FindEpisode): Promise<TranscriptView | null> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.read', found.episode);
  const row = await lookupRow(ctx, episode.id);
  if (!row) return null;
  const { source, fileName, language, updatedAt, cues } = row;
  const hasTimes = cues.some(isTimed);
  const unsure = cues.filter(isUnsure).length;
  const speakers = [...new Set(cues.flatMap(({ speaker }) => speaker ?? []))].slice(0, SHOWN_SPEAKERS);
  const downloads = formatsOf(hasTimes).map((format) => ({
    format,
    url: ctx.urls.transcript(episode.id, episode.slug, format),
  }));
  const excerpt = cues.slice(0, SHOWN_CUES);
  const whole = editableText(cues);
  const text = whole.length <= TRANSCRIPT_LIMITS.shownLength ? whole : null;
  const facts = { source, fileName, language, updatedAt, cues: cues.length, hasTimes, unsure, speakers };
  return { ...facts, excerpt, text, downloads };
}

const SHOWN_CUES = 300;
const SHOWN_SPEAKERS = 20;

/**
 * Adds or replaces the transcript of an episode, or stores its edited text.
 * @throws episode.not_found, episode.already_changed, transcript.*
 */
export async function uploadTranscript(ctx: Ctx, input: UploadTranscript): Promise<{ cues: number }> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const bytes = Buffer.from(input.content, 'base64');
  const former = input.editOf ? await findEdited(ctx, episode.id, input.editOf) : null;
  const parsed = former ? parseEditedText(bytes, former) : parseTranscript(bytes);
  if (!parsed.ok) throw transcriptFaults[parsed.fault]({ max: TRANSCRIPT_LIMITS.cues });
  const { source, cues } = parsed;
  const { language } = found.product;
  const original = former && (former.original ?? former.cues);
  const transcript = { source, cues, original, language, fileName: input.fileName, former: former?.updatedAt };
  await transact(ctx, (tx) => storeTranscript(tx, episode, transcript));
  return { cues: cues.length };
}

/** The transcript whose text was edited. @throws episode.already_changed if it is another one by now */
async function findEdited(ctx: Ctx, episodeId: number, editOf: Date) {
  const row = await lookupRow(ctx, episodeId);
  if (row?.updatedAt.getTime() !== editOf.getTime()) throw alreadyChanged();
  await ctx.reach('transcript.edited');
  return row;
}

/** @throws episode.not_found, transcript.not_found */
export async function removeTranscript(ctx: Ctx, { id, kind }: FindEpisode): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await transact(ctx, async (tx) => {
    await lockEpisodeRow(tx, episode.id);
    const removed = await tx.db
      .delete(episodeTranscripts)
      .where(eq(episodeTranscripts.episodeId, episode.id))
      .returning({ id: episodeTranscripts.episodeId });
    if (removed.length === 0) throw transcriptNotFound();
    await recordAbout(tx, 'episode.transcript_changed', episode);
    await markTranscriptChanged(tx, episode);
  });
}

type Wanted = {
  episodeId: number;
  format: TranscriptFormat;
  /** Finds how the times of a creator's episode move for the caller; null if they don't. */
  shiftFor?: (creatorId: number) => Promise<((ms: number) => number) | null>;
};

/** A transcript in one format, for its door. Null if it does not exist or the caller may not read it. */
export async function transcriptFile(
  ctx: Reader,
  { episodeId, format, shiftFor }: Wanted,
): Promise<{ text: string; productId: number; creatorId: number } | null> {
  const [found] = await selectEpisodes(ctx).where(eq(episodes.id, episodeId));
  if (!found || !mayRead(ctx, found)) return null;
  const row = await lookupRow(ctx, episodeId);
  const { productId, creatorId, name } = found.episode;
  const about = row && { title: name, language: row.language };
  const shift = row && (await shiftFor?.(creatorId));
  const text = row && writeTranscript(shift ? shiftCues(row.cues, shift) : row.cues, format, about);
  return text ? { text, productId, creatorId } : null;
}

/** A passage that is left out has no words either, and a cue that ends at a clip does not go on during it. */
function shiftCues(cues: Cue[], shift: (ms: number) => number): Cue[] {
  return cues.flatMap((cue) => {
    if (!isTimed(cue)) return [cue];
    const [startMs, endMs] = shiftSpan([cue.startMs, cue.endMs], shift);
    const words = cue.words?.map((span) => shiftSpan(span, shift));
    return endMs - startMs > 1 ? [{ ...cue, startMs, endMs, ...(words && { words }) }] : [];
  });
}

const shiftSpan = ([startMs, endMs]: WordTime, shift: (ms: number) => number): WordTime => [
  Math.round(shift(startMs)),
  Math.round(shift(endMs - 1)) + 1,
];

/**
 * Path of the transcript for the player, with times if they exist; null without a transcript that the caller may read.
 */
export async function transcriptPathFor(ctx: Reader, found: EpisodeRecord): Promise<string | null> {
  if (!found.hasTranscript || !mayRead(ctx, found)) return null;
  const { id, slug } = found.episode;
  const timed = sql<boolean>`jsonb_path_exists(${episodeTranscripts.cues}, '$[*] ? (@.startMs >= 0)')`;
  const [row] = await ctx.db.select({ timed }).from(episodeTranscripts).where(eq(episodeTranscripts.episodeId, id));
  return row ? transcriptPath(id, slug, row.timed ? 'json' : 'txt') : null;
}

/** The transcript on an episode's page. `html` is null if it is too long for a page. */
export type PageTranscript = { html: string | null; downloads: { format: TranscriptFormat; path: string }[] };

/** The transcript for an episode's page; null without a transcript that the visitor may read. */
export async function pageTranscript(ctx: Ctx, found: EpisodeRecord): Promise<PageTranscript | null> {
  if (!found.hasTranscript || !mayRead(ctx, found)) return null;
  return readForPage(ctx, found);
}

/** Reads the transcript without a check of access: for the preview. */
export async function readForPage(ctx: Ctx, { episode }: EpisodeRecord): Promise<PageTranscript | null> {
  const row = await lookupRow(ctx, episode.id);
  if (!row) return null;
  const formats = formatsOf(row.cues.some(isTimed));
  return {
    html: transcriptHtml(row.cues, (seconds) => momentFragment(episode.id, seconds)),
    downloads: formats.map((format) => ({ format, path: transcriptPath(episode.id, episode.slug, format) })),
  };
}

const mayRead = (ctx: Reader, found: EpisodeRecord): boolean =>
  may(ctx, 'episode.read_transcript', {
    ...factsOf(found),
    transcriptShowAll: found.episode.transcriptShowAll,
  });

export async function lookupRow({ db }: Pick<Ctx, 'db'>, episodeId: number) {
  const [row] = await db.select().from(episodeTranscripts).where(eq(episodeTranscripts.episodeId, episodeId));
  return row ?? null;
}

/** When an episode's transcript was changed last, without reading its text; null without one. */
export async function lookupTranscriptVersion({ db }: Pick<Ctx, 'db'>, episodeId: number): Promise<Date | null> {
  const { updatedAt } = episodeTranscripts;
  const [row] = await db
    .select({ updatedAt })
    .from(episodeTranscripts)
    .where(eq(episodeTranscripts.episodeId, episodeId));
  return row?.updatedAt ?? null;
}
