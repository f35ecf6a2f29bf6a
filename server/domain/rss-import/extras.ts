import type { Chapter } from '~/db/values/episodes';
import type { FeedItem } from '~/db/values/rss-import';
import { AppError } from '../../base/errors';
import type { FeedTranscript } from '../../feed/model';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { TRANSCRIPT_LIMITS } from '../../limits/transcripts';
import type { Ctx } from '../../runtime/ctx';
import { saveImportedChapters } from '../episodes/chapters';
import { uploadTranscript } from '../episodes/transcripts';
import { copyPicture } from './pictures';
import { fileNameOf, type ImportedChapter, parseChapterFile, toChapters } from './rules';

/** `folder`: the user whose folder stores pictures. */
type Target = { episodeId: number; item: FeedItem; folder: number };

/** Copies chapters and a transcript. A file that can't be fetched or read is left out: the episode matters more. */
export async function copyExtras(ctx: Ctx, target: Target): Promise<void> {
  for (const copy of [copyChapters, copyTranscript])
    await copy(ctx, target).catch((err: unknown) => {
      if (!(err instanceof AppError) || err.kind === 'no_space') throw err;
      ctx.log.info({ err, episodeId: target.episodeId }, 'part of a feed’s episode skipped');
    });
}

/**
 * Uses the chapters file, otherwise the feed's own chapters. Without either, the audio check takes the chapters of the
 * audio file.
 */
async function copyChapters(ctx: Ctx, { episodeId, item, folder }: Target): Promise<void> {
  const file = item.chapters ? await fetchText(ctx, item.chapters.url) : null;
  const fromFile = file ? toChapters(parseChapterFile(file)) : [];
  const chapters = fromFile.length > 0 ? fromFile : toChapters(item.marks ?? []);
  if (chapters.length === 0) return;
  await saveImportedChapters(ctx, { id: episodeId, chapters: await withPictures(ctx, chapters, folder) });
}

/**
 * Each picture is copied once. A host that fails or is slow must not stop the run: the remaining chapters have no
 * pictures.
 */
async function withPictures(ctx: Ctx, found: readonly ImportedChapter[], folder: number): Promise<Chapter[]> {
  const { chapterPicturesMs, chapterPictureFaults } = IMPORT_LIMITS;
  const began = performance.now();
  const keys = new Map<string, string | null>();
  let faults = 0;
  const chapters: Chapter[] = [];
  for (const { image, ...chapter } of found) {
    const mayAsk = faults < chapterPictureFaults && performance.now() - began < chapterPicturesMs;
    if (image !== null && !keys.has(image) && mayAsk) {
      const key = await copyPicture(ctx, image, { folder, minPixels: 0 });
      keys.set(image, key);
      if (key === null) faults += 1;
    }
    chapters.push({ ...chapter, imageKey: image === null ? null : (keys.get(image) ?? null) });
  }
  return chapters;
}

/** Formats with times come first. Other formats, such as HTML, can't be read. */
const READABLE = [/vtt/i, /srt|subrip/i, /json/i, /^text\/plain/i];

async function copyTranscript(ctx: Ctx, { episodeId, item }: Target): Promise<void> {
  const best = bestTranscript(item.transcripts ?? []);
  const file = best ? await fetchText(ctx, best.url) : null;
  if (!best || !file) return;
  const content = Buffer.from(file).toString('base64');
  await uploadTranscript(ctx, { id: episodeId, fileName: fileNameOf(best.url), content });
}

function bestTranscript(found: readonly FeedTranscript[]): FeedTranscript | null {
  for (const format of READABLE) {
    const match = found.find(({ type }) => format.test(type));
    if (match) return match;
  }
  return null;
}

async function fetchText(ctx: Ctx, url: string): Promise<Uint8Array | null> {
  const maxBytes = Math.min(IMPORT_LIMITS.textBytes, TRANSCRIPT_LIMITS.maxBytes);
  const fetched = await ctx.ports.fetcher.fetch({ url, maxBytes });
  return fetched.unchanged ? null : fetched.bytes;
}
