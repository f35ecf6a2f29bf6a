import { and, eq, sql } from 'drizzle-orm';
import { audioFetches } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { AppError, diskFull, isDiskFull } from '../../base/errors';
import { nextTry } from '../../base/retries';
import { AUDIO_FETCH_LIMITS } from '../../limits/episodes';
import { authorize } from '../../policy/authorize';
import { checkAudio, fetchAudio as fetchAudioJob } from '../../queue/jobs/episodes';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { downloadAudio } from '../media/download-audio';
import { type FetchedFile, recordFetchedAudio } from '../media/uploads';
import { settleCheck } from './audio-check';
import { bytesOnTheirWay, type FetchRow, lookupFetch, removeFetched, startFetches } from './audio-fetches';
import { type EpisodeRow, lockEpisodeRow, lookupEpisodeRow } from './queries';
import { uploadToCheck } from './replace-audio';
import { noteDelay } from './transitions';

type Step = { episodeId: number; step: number };

/**
 * The job of one lease: downloads the file to the key of the upload for which the episode waits, whose check then treats
 * it like any upload. Temporary faults are retried later, others end in the state of a file that failed its check. A
 * killed job runs again and continues the download; of two jobs of one episode, only one has the current step. Without a
 * lease, it only asks for a place again.
 */
export async function fetchAudio(ctx: Ctx, { episodeId, step }: Step): Promise<void> {
  const fetch = await lookupFetch(ctx, episodeId);
  if (fetch?.step !== step) return;
  if (fetch.leasedUntil === null) return transact(ctx, startFetches);
  if (!(await lookupEpisodeRow(ctx, episodeId))) return transact(ctx, async (tx) => void (await pauseFetch(tx, fetch)));
  const found = await download(ctx, fetch);
  await ctx.reach('audio.fetched');
  await transact(ctx, async (tx) => {
    if (found instanceof AppError) await settleFault(tx, fetch, found);
    else await takeFile(tx, fetch, found);
    await startFetches(tx);
  });
}

/** The file, or the fault of its host or of our disk. */
async function download(ctx: Ctx, { url, uploadKey: key, userId }: FetchRow): Promise<FetchedFile | AppError> {
  const { withinMs } = AUDIO_FETCH_LIMITS;
  const bytes = await bytesOnTheirWay(ctx);
  return downloadAudio(ctx, { url, key, userId, bytes, withinMs }).catch((error) => {
    if (isDiskFull(error)) return diskFull();
    if (error instanceof AppError) return error;
    throw error;
  });
}

/** The episode's file has arrived, unless another file or another job has come first. */
async function takeFile(tx: TxCtx, fetch: FetchRow, file: FetchedFile): Promise<void> {
  const row = await lockEpisodeRow(tx, fetch.episodeId);
  if (!row) return void (await pauseFetch(tx, fetch));
  const isCurrent = await endFetch(tx, fetch);
  if (!waitsFor(row, fetch)) return removeFetched(tx, fetch);
  if (!isCurrent) return;
  const { id, replacementKey } = authorize(tx, 'episode.manage', row);
  await recordFetchedAudio(tx, file);
  // the time for its check begins now
  const updatedAt = replacementKey === null ? tx.now() : row.updatedAt;
  const replacementAt = replacementKey === null ? row.replacementAt : tx.now();
  await tx.db
    .update(episodes)
    .set({ failureReason: null, failureParams: {}, updatedAt, replacementAt })
    .where(eq(episodes.id, id));
  await tx.jobs.enqueue(checkAudio, { episodeId: id });
}

/** Tells the owner why the file is late or missing. */
async function settleFault(tx: TxCtx, fetch: FetchRow, fault: AppError): Promise<void> {
  const row = await lockEpisodeRow(tx, fetch.episodeId);
  if (!row) return void (await pauseFetch(tx, fetch));
  const { attempts, createdAt: startedAt, uploadKey } = fetch;
  const { code, params } = fault;
  const dueAt = nextTry({ attempts, startedAt }, fault, { now: tx.now(), limits: AUDIO_FETCH_LIMITS });
  if (dueAt && waitsFor(row, fetch)) {
    const isCurrent = await pauseFetch(tx, fetch, { attempts: attempts + 1, dueAt });
    if (isCurrent) await noteDelay(tx, { ...row, uploadKey }, { code, params });
    return;
  }
  const isCurrent = await endFetch(tx, fetch);
  if (isCurrent || !waitsFor(row, fetch)) await removeFetched(tx, fetch);
  if (!isCurrent || !waitsFor(row, fetch)) return;
  await settleCheck(tx, authorize(tx, 'episode.manage', row), { ok: false, reason: code, params });
}

const waitsFor = (row: EpisodeRow, { uploadKey }: FetchRow) => uploadToCheck(row) === uploadKey;

const whereCurrent = ({ episodeId, step }: Step) =>
  and(eq(audioFetches.episodeId, episodeId), eq(audioFetches.step, step));

/** @returns false if another job has gone on with it */
async function endFetch(tx: TxCtx, fetch: FetchRow): Promise<boolean> {
  const ended = await tx.db.delete(audioFetches).where(whereCurrent(fetch)).returning({ id: audioFetches.episodeId });
  return ended.length > 0;
}

type Pause = Pick<FetchRow, 'attempts' | 'dueAt'>;

/** Gives the place back; a restored episode waits for one again. @returns as endFetch */
async function pauseFetch(tx: TxCtx, fetch: FetchRow, pause?: Pause): Promise<boolean> {
  const { episodeId, step } = fetch;
  const paused = await tx.db
    .update(audioFetches)
    .set({ ...pause, leasedUntil: null, step: sql`${audioFetches.step} + 1` })
    .where(whereCurrent(fetch))
    .returning({ id: audioFetches.episodeId });
  if (paused.length === 0) return false;
  if (pause) await tx.jobs.enqueue(fetchAudioJob, { episodeId, step: step + 1 }, { at: pause.dueAt });
  return true;
}
