import { eq } from 'drizzle-orm';
import { rssImportItems } from '~/db/schema/rss-import';
import type { Chapter } from '~/db/values/episodes';
import type { FeedItem, LeftOut } from '~/db/values/rss-import';
import { AppError } from '../../base/errors';
import { isPermanentFault } from '../../base/retries';
import type { FeedTranscript } from '../../feed/model';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { TRANSCRIPT_LIMITS } from '../../limits/transcripts';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { lookupChapters, saveImportedChapters } from '../episodes/chapters';
import { setImportedCover } from '../episodes/import-episode';
import { type EpisodeRecord, findEpisodeRecord } from '../episodes/queries';
import { uploadTranscript } from '../episodes/transcripts';
import { fileNameOf } from '../media/download-audio';
import { chaptersUnreadable, picturesSlow, transcriptUnsupported } from './errors';
import { fetchFile } from './fetch-file';
import { copyPicture } from './pictures';
import { type ImportedChapter, nextAttempt, parseChapterFile, toChapters } from './rules';
import type { ImportRow, ItemRow } from './views';

/** `known`: the parts that earlier attempts and imports have left out. */
type Extras = { item: ItemRow; episodeId: number; known: readonly LeftOut[] };
type Target = Pick<Extras, 'item' | 'known'> & { row: ImportRow; found: EpisodeRecord };
type Fault = { part: LeftOut['part']; error: AppError };

/**
 * Copies the cover, the chapters and the transcript that the feed names, if the episode has none. The item lists what
 * could not be copied. @throws the first fault that may be temporary, while an attempt is left
 */
export async function copyExtras(ctx: Ctx, row: ImportRow, { item, episodeId, known }: Extras): Promise<void> {
  const found = await findEpisodeRecord(ctx, episodeId);
  const target = { row, item, known, found };
  const faults = [
    ...(await attempt('cover', () => copyCover(ctx, target))),
    ...(await attempt('chapters', () => copyChapters(ctx, target))),
    ...(await attempt('transcript', () => copyTranscript(ctx, target))),
  ];
  const leftOut = faults.map(({ part, error: { code, params } }) => ({ part, code, params }));
  await ctx.db.update(rssImportItems).set({ leftOut }).where(eq(rssImportItems.id, item.id));
  const tried = { attempts: item.attempts, startedAt: row.startedAt };
  const temporary = faults.find(({ error }) => nextAttempt(tried, error, ctx.now()));
  if (temporary) throw temporary.error;
}

async function attempt(part: LeftOut['part'], copy: () => Promise<Fault[]>): Promise<Fault[]> {
  try {
    return await copy();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'no_space') throw error;
    return [{ part, error }];
  }
}

async function copyCover(ctx: Ctx, { row, item: { data }, found }: Target): Promise<Fault[]> {
  if (!data.cover || found.episode.coverKey !== null) return [];
  const episode = authorize(ctx, 'episode.manage', found.episode);
  await setImportedCover(ctx, episode, await copyPicture(ctx, row, { url: data.cover }));
  return [];
}

/**
 * Uses the chapters file, otherwise the feed's own chapters. Without either, the audio check takes the chapters of the
 * audio file. If only pictures were missing, they are added to the chapters.
 */
async function copyChapters(ctx: Ctx, { row, item: { data }, known, found }: Target): Promise<Fault[]> {
  const { id } = found.episode;
  const lacksPictures = known.some(({ part }) => part === 'chapter_pictures');
  const isNamed = data.chapters !== undefined || data.marks !== undefined;
  if (!isNamed || (!lacksPictures && (await lookupChapters(ctx, id))?.edited)) return [];
  const { chapters, fault } = await withPictures(ctx, row, await readChapters(ctx, data));
  if (chapters.length > 0) await saveImportedChapters(ctx, { id, chapters });
  return fault ? [{ part: 'chapter_pictures', error: fault }] : [];
}

async function readChapters(ctx: Ctx, { chapters: file, marks }: FeedItem): Promise<ImportedChapter[]> {
  const read = file ? parseChapterFile(await fetchText(ctx, file.url)) : [];
  const fromFile = toChapters(read ?? []);
  if (fromFile.length > 0) return fromFile;
  if (!read && !marks) throw chaptersUnreadable();
  return toChapters(marks ?? []);
}

/** `fault`: why pictures are missing, a temporary fault if there is one. */
async function withPictures(ctx: Ctx, row: ImportRow, found: readonly ImportedChapter[]) {
  const urls = new Set(found.flatMap(({ image }) => image ?? []));
  const { keys, faults } = await copyPictures(ctx, row, urls);
  const chapters: Chapter[] = found.map(({ image, ...chapter }) => ({
    ...chapter,
    imageKey: keys.get(image ?? '') ?? null,
  }));
  return { chapters, fault: faults.find((error) => !isPermanentFault(error)) ?? faults[0] };
}

/** A host that fails or is slow must not stop the run: the remaining pictures are left out, or wait for an attempt. */
async function copyPictures(ctx: Ctx, row: ImportRow, urls: Iterable<string>) {
  const { chapterPictureFaults, chapterPicturesMs } = IMPORT_LIMITS;
  const began = performance.now();
  const keys = new Map<string, string>();
  const faults: AppError[] = [];
  for (const url of urls) {
    if (faults.length >= chapterPictureFaults) break;
    try {
      if (performance.now() - began > chapterPicturesMs) throw picturesSlow({ host: new URL(url).hostname });
      keys.set(url, await copyPicture(ctx, row, { url, minPixels: 0 }));
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'no_space') throw error;
      faults.push(error);
    }
  }
  return { keys, faults };
}

/** Formats with times come first. Other formats, such as HTML, can't be read. */
const READABLE = [/vtt/i, /srt|subrip/i, /json/i, /^text\/plain/i];

async function copyTranscript(ctx: Ctx, { item: { data }, found }: Target): Promise<Fault[]> {
  const { transcripts = [] } = data;
  if (transcripts.length === 0 || found.hasTranscript) return [];
  const best = bestTranscript(transcripts);
  if (!best) throw transcriptUnsupported({ types: transcripts.map(({ type }) => type).join(', ') });
  const { id } = found.episode;
  const content = Buffer.from(await fetchText(ctx, best.url)).toString('base64');
  // the creator may have added one while the host was answering
  if ((await findEpisodeRecord(ctx, id)).hasTranscript) return [];
  await uploadTranscript(ctx, { id, fileName: fileNameOf(best.url), content });
  return [];
}

function bestTranscript(found: readonly FeedTranscript[]): FeedTranscript | null {
  for (const format of READABLE) {
    const match = found.find(({ type }) => format.test(type));
    if (match) return match;
  }
  return null;
}

const fetchText = (ctx: Ctx, url: string) =>
  fetchFile(ctx, { url, maxBytes: Math.min(IMPORT_LIMITS.textBytes, TRANSCRIPT_LIMITS.maxBytes) });
