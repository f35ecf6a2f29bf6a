import { and, eq, getTableColumns } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import type { Chapter } from '~/db/values/episodes';
import { AppError } from '../../base/errors';
import { authorize, may } from '../../policy/authorize';
import { storeChapterImage as storeImageJob, writeHead } from '../../queue/jobs/episodes';
import { refreshServed } from '../../queue/jobs/insertions';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { ProbeResult } from '../media/checked-audio';
import { checkPicture, storeCheckedPicture } from '../media/covers';
import { withField } from '../media/errors';
import { type CoverUrls, coverUrls } from '../media/rules';
import { storeHead } from '../media/served-heads';
import { consumeUpload, findUsableUpload, type UsableUpload } from '../media/uploads';
import { markProductChanged } from '../products/mark-product-changed';
import { recordAbout } from '../team/activity';
import { alreadyChanged, chapterImageMissing, chapterPastEnd, chaptersAtOneTime } from './errors';
import {
  type EpisodeRecord,
  type EpisodeRow,
  factsOf,
  findEpisodeRecord,
  lockEpisodeRow,
  lookupEpisodeRow,
} from './queries';
import { audibleChapters, chaptersFromFile, isPastEnd } from './rules';
import type { FindEpisode, SaveChapters } from './schema';
import type { ManageableEpisode } from './transitions';

/** The chapters of an episode, for the team's screens. @throws episode.not_found, also for other users */
export async function getChapters(ctx: Ctx, { id, kind }: FindEpisode): Promise<Chapter[]> {
  const { episode } = await findEpisodeRecord(ctx, id, kind);
  authorize(ctx, 'episode.read', episode);
  return (await lookupChapters(ctx, id))?.chapters ?? [];
}

/**
 * Replaces the chapters of an episode; a job writes them into the head of the served file. `assertFits`: for chapters
 * that were made for the file of a certain time.
 * @throws chapter.past_end, chapter.same_time, chapter.image_missing, upload.*
 */
export async function saveChapters(ctx: Ctx, input: SaveChapters, assertFits?: AssertFits): Promise<Chapter[]> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const sorted = inOrder(input.chapters, episode.durationMs);
  const images = await findImages(ctx, input, sorted);
  await ctx.reach('chapters.checked');
  await saveAll(ctx, episode, { uploads: images.uploads, choose: () => images.chapters, assertFits });
  return images.chapters;
}

/**
 * Stores the chapters of an episode in another host's feed, with stored pictures, as if its owner had entered them.
 * Chapters past the end are kept; players leave them out. Chapters that the owner has already get missing pictures only.
 */
export async function saveImportedChapters(ctx: Ctx, { id, chapters: found }: SaveChapters): Promise<void> {
  const { episode } = await findEpisodeRecord(ctx, id);
  const choose = (saved: SavedChapters) => (saved?.edited ? withMissingPictures(saved.chapters, found) : found);
  await saveAll(ctx, authorize(ctx, 'episode.manage', episode), { uploads: [], choose });
}

const withMissingPictures = (saved: readonly Chapter[], found: readonly Chapter[]): Chapter[] =>
  saved.map((chapter) => {
    const same = found.find(({ startMs, title }) => startMs === chapter.startMs && title === chapter.title);
    return { ...chapter, imageKey: chapter.imageKey ?? same?.imageKey ?? null };
  });

type SavedChapters = Awaited<ReturnType<typeof lookupChapters>>;
/** Throws if the chapters do not fit the episode at the time of the change, such as those of another file. */
type AssertFits = (episode: Pick<EpisodeRow, 'audioKey' | 'status'>) => void;
/** `choose`: from the chapters at the time of the change. */
type Change = Pick<Images, 'uploads'> & { choose(saved: SavedChapters): Chapter[]; assertFits?: AssertFits };

async function saveAll(ctx: Ctx, episode: ManageableEpisode, { uploads, choose, assertFits }: Change): Promise<void> {
  await transact(ctx, async (tx) => {
    // waits for a check that is reading the chapters of the file
    const row = await lockEpisodeRow(tx, episode.id);
    if (!row) throw alreadyChanged();
    assertFits?.(row);
    for (const { upload, imageKey } of uploads) {
      await consumeUpload(tx, upload);
      await tx.jobs.enqueue(storeImageJob, { episodeId: episode.id, uploadKey: upload.key, imageKey });
    }
    const chapters = choose(await lookupChapters(tx, episode.id));
    await writeChapters(tx, episode.id, { chapters, edited: true });
    await recordAbout(tx, 'episode.chapters_changed', episode);
    if (row.audioKey) await tx.jobs.enqueue(writeHead, { episodeId: episode.id });
    await markProductChanged(tx, episode.productId);
  });
}

/** @throws chapter.past_end, chapter.same_time, each on the time of its row in the request */
function inOrder(chapters: Chapter[], durationMs: number | null): Chapter[] {
  const taken = new Set<number>();
  for (const [row, { startMs }] of chapters.entries()) {
    if (isPastEnd(startMs, durationMs)) throw chapterPastEnd(row);
    if (taken.has(startMs)) throw chaptersAtOneTime(row);
    taken.add(startMs);
  }
  return [...chapters].sort((a, b) => a.startMs - b.startMs);
}

type NewImage = { upload: UsableUpload; imageKey: string };
/** Chapters in order, and their new pictures. */
type Images = { uploads: NewImage[]; chapters: Chapter[] };

/**
 * A picture is an upload of the caller, or a stored picture of the episode's chapters. Jobs convert new pictures,
 * because each takes up to a second. @throws chapter.image_missing, upload.*, media.*, each on the picture of its row
 * in the request
 */
async function findImages(ctx: Ctx, { id, chapters: sent }: SaveChapters, sorted: Chapter[]): Promise<Images> {
  const known = new Set((await lookupChapters(ctx, id))?.chapters.map(({ imageKey }) => imageKey));
  const uploads: NewImage[] = [];
  const chapters: Chapter[] = [];
  for (const chapter of sorted) {
    const { imageKey } = chapter;
    if (imageKey === null || known.has(imageKey)) {
      chapters.push(chapter);
      continue;
    }
    if (imageKey.includes('/')) throw chapterImageMissing();
    const found = await findImage(ctx, imageKey).catch((error) => {
      throw error instanceof AppError ? withField(error, `chapters.${sent.indexOf(chapter)}.imageKey`) : error;
    });
    uploads.push(found);
    chapters.push({ ...chapter, imageKey: found.imageKey });
  }
  return { uploads, chapters };
}

async function findImage(ctx: Ctx, key: string): Promise<NewImage> {
  const upload = await findUsableUpload(ctx, { key, purpose: 'chapter_image' });
  return { upload, imageKey: await checkPicture(ctx, upload) };
}

type ImageJob = { episodeId: number; uploadKey: string; imageKey: string };

/**
 * The job after a chapter got a picture. A file that turns out to be damaged leaves its chapter without one. Safe to run
 * again.
 */
export async function storeChapterImage(ctx: Ctx, { episodeId, uploadKey, imageKey }: ImageJob): Promise<void> {
  const found = await lookupEpisodeRow(ctx, episodeId);
  if (!found) return;
  const episode = authorize(ctx, 'episode.manage', found);
  if (!(await storeCheckedPicture(ctx, { uploadKey, base: imageKey }))) await dropImage(ctx, episode, imageKey);
}

async function dropImage(ctx: Ctx, { id, productId }: EpisodeRow, imageKey: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockEpisodeRow(tx, id);
    const saved = await lookupChapters(tx, id);
    if (!saved) return;
    const chapters = saved.chapters.map((chapter) =>
      chapter.imageKey === imageKey ? { ...chapter, imageKey: null } : chapter,
    );
    await writeChapters(tx, id, { chapters, edited: saved.edited });
    await markProductChanged(tx, productId);
  });
}

async function writeChapters(
  tx: TxCtx,
  episodeId: number,
  values: { chapters: Chapter[]; edited: boolean },
): Promise<void> {
  const row = { ...values, updatedAt: tx.now() };
  await tx.db
    .insert(episodeChapters)
    .values({ episodeId, ...row })
    .onConflictDoUpdate({ target: episodeChapters.episodeId, set: row });
}

/** Stores the chapters of the new file, in the transaction of the check, unless the owner has edited them. */
export async function takeFileChapters(
  tx: TxCtx,
  episode: EpisodeRow,
  audio: Pick<Extract<ProbeResult, { ok: true }>, 'chapters' | 'durationMs'>,
): Promise<void> {
  const { id: episodeId } = episode;
  const current = await lookupChapters(tx, episodeId);
  if (current?.edited) return tx.jobs.enqueue(writeHead, { episodeId });
  const chapters = chaptersFromFile(audio.chapters, audio.durationMs);
  if (chapters.length > 0) return writeChapters(tx, episodeId, { chapters, edited: false });
  if (current) await tx.db.delete(episodeChapters).where(eq(episodeChapters.episodeId, episodeId));
}

/**
 * The job after chapters were saved: it adds a head with the chapters to the served file, which changes its size and
 * ETag. If file or chapters change meanwhile, it leaves the work to the job of that change. Safe to run again.
 */
export async function serveChapters(ctx: Ctx, episodeId: number): Promise<void> {
  const found = await lookupEpisodeRow(ctx, episodeId);
  if (!found) return;
  const { audioKey, name, durationMs } = authorize(ctx, 'episode.manage', found);
  const saved = await lookupChapters(ctx, episodeId);
  if (audioKey === null || !saved?.edited) return;
  const chapters = audibleChapters(saved.chapters, durationMs).map(({ startMs, title, url }, i, all) => ({
    startMs,
    endMs: all[i + 1]?.startMs ?? durationMs ?? startMs,
    title,
    url: url ?? undefined,
  }));
  const head = await storeHead(ctx, { audioKey, title: name, chapters });
  if (!head) return;
  await transact(ctx, async (tx) => {
    const row = await lockEpisodeRow(tx, episodeId);
    const now = await lookupChapters(tx, episodeId);
    const isCurrent = row?.audioKey === audioKey && isSame(now?.chapters, saved.chapters);
    if (!row || !isCurrent) return tx.jobs.enqueue(removeObjects, { keys: [head.key] });
    const { servedHead: former, audioBytes, headBytes } = row;
    const grown = head.bytes - head.replaces - (former ? former.bytes - former.replaces : 0);
    await tx.db
      .update(episodes)
      .set({ servedHead: head, audioBytes: (audioBytes ?? 0) + grown, headBytes: (headBytes ?? 0) + grown })
      .where(and(eq(episodes.id, episodeId), eq(episodes.audioKey, audioKey)));
    if (former) await tx.jobs.enqueue(removeObjects, { keys: [former.key] });
    await tx.jobs.enqueue(refreshServed, { productId: row.productId });
    await markProductChanged(tx, row.productId);
  });
}

const isSame = (a: Chapter[] | undefined, b: Chapter[]) => JSON.stringify(a) === JSON.stringify(b);

/** A chapter on an episode's page. */
export type PageChapter = Pick<Chapter, 'title' | 'url'> & { seconds: number; image: CoverUrls | null };

/** Chapters of an episode that the caller may play: like the audio, they are part of the paid content. */
export async function pageChapters(ctx: Pick<Ctx, 'db' | 'actor'>, found: EpisodeRecord): Promise<PageChapter[]> {
  if (!may(ctx, 'episode.play', factsOf(found))) return [];
  const saved = await lookupChapters(ctx, found.episode.id);
  const chapters = audibleChapters(saved?.chapters ?? [], found.episode.durationMs);
  return chapters.map(({ startMs, title, url, imageKey }) => ({
    seconds: startMs / 1000,
    title,
    url,
    image: imageKey ? coverUrls(imageKey) : null,
  }));
}

const selectChapters = preparedSelect((db, { episodeId }: Inputs<{ episodeId: number }>) =>
  db.select(getTableColumns(episodeChapters)).from(episodeChapters).where(eq(episodeChapters.episodeId, episodeId)),
);

/** The saved chapters of an episode, and whether its owner has edited them. */
export async function lookupChapters(ctx: Pick<Ctx, 'db'>, episodeId: number) {
  const [row] = await selectChapters(ctx.db, { episodeId });
  return row ?? null;
}
