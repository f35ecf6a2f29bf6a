import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { ConverterUnavailable, isDiskFull } from '../../base/errors';
import { earlier } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { checkAudio, convertAudio, goLive, measureLoudness, openEpisode } from '../../queue/jobs/episodes';
import { prepareEpisode } from '../../queue/jobs/insertions';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { ProbeResult } from '../media/checked-audio';
import { convertAndProbe } from '../media/convert-audio';
import { measureAudio } from '../media/measure-audio';
import { probeAudio } from '../media/probe-audio';
import { incomingKey } from '../media/rules';
import { isBeingFetched, startFetches, whereFetched } from './audio-fetches';
import { findObstacle } from './balance';
import { takeFileChapters } from './chapters';
import { type EpisodeRow, isRestorable, lockEpisodeRow, lookupEpisodeRow } from './queries';
import { failOverdueReplacements, failReplacement, finishReplacement, uploadToCheck } from './replace-audio';
import { objectKeysOf, statusAt } from './rules';
import { failOverdueChecks, type ManageableEpisode, noteDelay, type Transition, transition } from './transitions';

type CheckedAudio = Extract<ProbeResult, { ok: true }>;
type FailedCheck = Extract<ProbeResult, { ok: false }>;

/**
 * The job after an upload: reads the file of an episode, and settles its status or replaces its audio. Safe to run
 * again: it skips an episode that was deleted, waits for no check or for its file, or has another file by now. A file that needs
 * conversion goes to a separate job, so that other checks don't wait for it. @throws ENOSPC, so that the job is retried
 */
export function settleAudio(ctx: Ctx, episodeId: number): Promise<void> {
  return settleBy(ctx, episodeId, probeAudio);
}

/** Settles the audio after converting the file. @throws ENOSPC, ConverterUnavailable, so that the job is retried */
export function settleConverted(ctx: Ctx, episodeId: number): Promise<void> {
  return settleBy(ctx, episodeId, convertAndProbe);
}

async function settleBy(ctx: Ctx, episodeId: number, probe: typeof probeAudio | typeof convertAndProbe): Promise<void> {
  const row = await lookupEpisodeRow(ctx, episodeId);
  // deleting an episode deletes its row; its job may still be queued
  const uploadKey = row && uploadToCheck(row);
  if (!row || !uploadKey) return;
  if (await isBeingFetched(ctx, uploadKey)) return transact(ctx, startFetches);
  const found = authorize(ctx, 'episode.manage', row);
  const { creatorId, audioKey: formerKey } = found;
  const result = await probe(ctx, { uploadKey, creatorId, episodeId, formerKey }).catch(async (error) => {
    const code = delayOf(error);
    if (code) await transact(ctx, (tx) => noteDelay(tx, { ...found, uploadKey }, { code, params: {} }));
    throw error;
  });

  await transact(ctx, async (tx) => {
    // reading the file takes time: file, release time and cover may have changed, or the episode was deleted
    const row = await lockEpisodeRow(tx, episodeId);
    if ('convertFrom' in result) return tx.jobs.enqueue(convertAudio, { episodeId });
    if (!row || uploadToCheck(row) !== uploadKey) return removeOrphan(tx, result, { row, episodeId });
    await settleCheck(tx, authorize(ctx, 'episode.manage', row), result);
    if (result.ok) await finishCheck(tx, { row, uploadKey }, result);
  });
}

/** Why a check is retried although its file may be valid: a code with a text for the owner. */
function delayOf(error: unknown): string | null {
  if (isDiskFull(error)) return 'audio.disk_full';
  return error instanceof ConverterUnavailable ? 'audio.converter_unavailable' : null;
}

/** What a check found becomes the episode's state. @param episode the locked row */
export async function settleCheck(tx: TxCtx, episode: ManageableEpisode, result: ProbeResult): Promise<void> {
  if (episode.replacementKey === null)
    return transition(tx, episode, result.ok ? await outcomeOf(tx, episode, result) : failure(result));
  if (!result.ok) return failReplacement(tx, episode, reasonOf(result));
  await finishReplacement(tx, episode, columnsOf(result, episode.coverKey));
}

type Checked = { row: EpisodeRow; uploadKey: string };

/** After a successful check, the former audio and a converted file are no longer needed. */
async function finishCheck(tx: TxCtx, { row, uploadKey }: Checked, audio: CheckedAudio): Promise<void> {
  await takeFileChapters(tx, row, audio);
  await tx.jobs.enqueue(measureLoudness, { episodeId: row.id });
  const former = objectKeysOf(row).filter((key) => key !== audio.audioKey);
  const keys = audio.convertedFrom === null ? former : [...former, incomingKey(uploadKey)];
  if (keys.length > 0) await tx.jobs.enqueue(removeObjects, { keys });
}

/**
 * The next status of an episode whose audio passed the check. An episode on hold stays on hold, and a draft stays
 * without a release time. An episode that would break the public ≤ private rule or exceed the plan is put on
 * hold.
 */
async function outcomeOf(tx: TxCtx, episode: EpisodeRow, audio: CheckedAudio): Promise<Transition> {
  const now = tx.now();
  const checked = columnsOf(audio, episode.coverKey);
  if (episode.heldAt) return { to: 'on_hold', by: 'check', set: checked };
  const releaseAt = episode.releaseAt ?? now;
  const set = { ...checked, releaseAt };
  const to = statusAt(releaseAt, now);
  const obstacle = to === 'published' ? await findObstacle(tx, episode) : null;
  if (!obstacle) return { to, by: 'check', set };
  const reason = { failureReason: obstacle.code, failureParams: obstacle.params };
  return { to: 'on_hold', by: 'check', set: { ...set, ...reason } };
}

const failure = (found: FailedCheck): Transition => ({ to: 'failed', by: 'check', set: reasonOf(found) });
const reasonOf = ({ reason, params }: FailedCheck) => ({ failureReason: reason, failureParams: params });

function columnsOf(audio: CheckedAudio, coverKey: string | null) {
  return {
    audioKey: audio.audioKey,
    audioBytes: audio.bytes,
    audioSha256: audio.sha256,
    durationMs: audio.durationMs,
    bitrate: audio.bitrate,
    sampleRate: audio.sampleRate,
    channels: audio.channels,
    // they belong to the former file; jobs compute them for the new one
    loudnessTenths: null,
    peaksKey: null,
    soundTriedAt: null,
    servedHead: null,
    headBytes: audio.headBytes,
    convertedFrom: audio.convertedFrom,
    audioWarnings: audio.warnings,
    // the cover inside the file is the default
    coverKey: coverKey ?? audio.coverKey,
  };
}

/**
 * The job after the check, so that publishing does not wait for it: stores loudness and waveform, unless the episode has
 * another file by then. Safe to run again, also for an episode that has both.
 */
export async function recordSound(ctx: Ctx, episodeId: number): Promise<void> {
  const row = await lookupEpisodeRow(ctx, episodeId);
  if (!row) return;
  const { id, audioKey, peaksKey: known } = authorize(ctx, 'episode.manage', row);
  if (audioKey === null || known !== null) return;
  const measured = await measureAudio(ctx, audioKey);
  if (!measured) return;
  const { lufs, peaksKey } = measured;
  await transact(ctx, async (tx) => {
    const stored = await tx.db
      .update(episodes)
      .set({ loudnessTenths: lufs === null ? null : Math.round(lufs * 10), peaksKey })
      .where(and(eq(episodes.id, id), eq(episodes.audioKey, audioKey)))
      .returning({ id: episodes.id });
    if (stored.length === 0) return tx.jobs.enqueue(removeObjects, { keys: [peaksKey] });
    await tx.jobs.enqueue(prepareEpisode, { episodeId: id });
  });
}

/**
 * Enqueues the measurement of audio without a waveform: it was checked before waveforms existed, or its job failed.
 * Each file gets one more try, so that unreadable files don't block the others. Two concurrent runs take different
 * episodes.
 */
export async function measureMissing(ctx: Ctx): Promise<void> {
  const { audioKey, peaksKey, soundTriedAt } = episodes;
  await transact(ctx, async (tx) => {
    const without = tx.db
      .select({ id: episodes.id })
      .from(episodes)
      .where(and(isNotNull(audioKey), isNull(peaksKey), isNull(soundTriedAt), whereKept()))
      .orderBy(episodes.id)
      .limit(EPISODE_LIMITS.measuredAtOnce)
      .for('update', { skipLocked: true });
    const taken = await tx.db
      .update(episodes)
      .set({ soundTriedAt: tx.now() })
      .where(inArray(episodes.id, without))
      .returning({ episodeId: episodes.id });
    await tx.jobs.enqueueAll(measureLoudness, taken);
  });
}

/**
 * Deletes the audio that this check stored, unless the row refers to it: the file was replaced or the episode deleted.
 * A deleted episode that can be restored keeps its audio, because the check after the restoration needs it.
 */
async function removeOrphan(
  tx: TxCtx,
  result: ProbeResult,
  { row, episodeId }: { row: EpisodeRow | null; episodeId: number },
): Promise<void> {
  if (row === null && (await isRestorable(tx, episodeId))) return;
  if (result.ok && result.audioKey !== row?.audioKey) await tx.jobs.enqueue(removeObjects, { keys: [result.audioKey] });
}

/**
 * Repairs episodes whose jobs ran out of retries: overdue checks, releases and downloads are enqueued again, and a check
 * that hasn't finished for a day fails.
 */
export async function recoverEpisodes(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const { checkOverdue, checkGivenUp, releaseOverdue, recoveredAtOnce } = EPISODE_LIMITS;
  await transact(ctx, async (tx) => {
    await failOverdueChecks(tx, earlier(now, checkGivenUp));
    await failOverdueReplacements(tx, earlier(now, checkGivenUp));
    const overdue = earlier(now, checkOverdue);
    const isNew = and(eq(episodes.status, 'in_progress'), lt(episodes.updatedAt, overdue));
    const unchecked = and(or(isNew, lt(episodes.replacementAt, overdue)), whereFetched());
    const unreleased = and(eq(episodes.status, 'scheduled'), lt(episodes.releaseAt, earlier(now, releaseOverdue)));
    const find = (where: SQL | undefined) =>
      tx.db
        .select({ episodeId: episodes.id })
        .from(episodes)
        .where(and(where, whereKept()))
        .orderBy(episodes.id)
        .limit(recoveredAtOnce);
    for (const row of await find(unchecked)) await tx.jobs.enqueue(checkAudio, row);
    for (const row of await find(unreleased)) await tx.jobs.enqueue(goLive, row);
    const unopened = lt(episodes.earlyUntil, earlier(now, releaseOverdue));
    for (const row of await find(unopened)) await tx.jobs.enqueue(openEpisode, row);
    await startFetches(tx);
  });
}
