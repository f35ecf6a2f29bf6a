import { and, eq, sql } from 'drizzle-orm';
import { textTimings } from '~/db/schema/transcription';
import { roughTimes } from '../../alignment/rough-times';
import { sentencesOf } from '../../alignment/script';
import { AppError } from '../../base/errors';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import type { TimedCue } from '../../transcript/model';
import { type EpisodeRow, lockEpisodeRow, lookupEpisodeRow } from '../episodes/queries';
import { storeTranscript } from '../episodes/store-transcript';
import { readPauses } from '../insertions/pauses';
import { openRecording } from '../media/recordings';
import { audioReplaced, soundMissing, timingFailed, transcriptChanged } from './errors';

type TimingRow = typeof textTimings.$inferSelect;

/**
 * The job that times a text. Repeating it after a crash begins again; a former process that still works stores nothing.
 */
export async function timeText(ctx: Ctx, episodeId: number): Promise<void> {
  const timing = await takeOver(ctx, episodeId);
  if (!timing) return;
  const found = await lookupEpisodeRow(ctx, episodeId);
  if (found?.audioKey !== timing.audioKey) return failTiming(ctx, timing, audioReplaced());
  const episode = authorize(ctx, 'episode.manage', found);
  try {
    const cues = await timesOf(ctx, timing, episode);
    if (!cues) return await failTiming(ctx, timing, soundMissing());
    await ctx.reach('timing.compared');
    await store(ctx, timing, cues);
  } catch (error) {
    if (error instanceof Superseded) return;
    // it would probably fail again: the creator is told at once, and can repeat it
    ctx.log.error({ err: error, episodeId }, 'the words of a text were not timed');
    await failTiming(ctx, timing, timingFailed());
  }
}

async function takeOver(ctx: Ctx, episodeId: number): Promise<TimingRow | null> {
  const [timing] = await ctx.db
    .update(textTimings)
    .set({ attempt: sql`${textTimings.attempt} + 1`, aliveAt: ctx.now(), percent: 0 })
    .where(and(eq(textTimings.episodeId, episodeId), eq(textTimings.status, 'running')))
    .returning();
  return timing ?? null;
}

/** The timed sentences: compared with a voice of their language, otherwise rough. Null if the sound is gone. */
async function timesOf(ctx: Ctx, timing: TimingRow, episode: EpisodeRow): Promise<TimedCue[] | null> {
  const { storage, speech, timeText: compare } = ctx.ports;
  const sentences = sentencesOf(timing.cues);
  const voice = speech && (await speech.findVoice(timing.language));
  if (!voice) {
    const pauses = (await readPauses(ctx, episode)) ?? [];
    return roughTimes(sentences, pauses, episode.durationMs ?? 0);
  }
  const { audioKey } = timing;
  const recording = await openRecording(storage, { key: audioKey, sha256: audioKey, keepsIndex: true });
  if (!recording) return null;
  try {
    const speak = (words: Parameters<typeof speech.speak>[0]) => speech.speak(words, voice);
    return await compare(recording, { sentences, speak }, progressOf(ctx, timing));
  } finally {
    await recording.close();
  }
}

/** Another process has taken over, or the episode was deleted. */
class Superseded extends Error {}

const REPORTED_PERCENT = 3;

function progressOf(ctx: Ctx, timing: TimingRow): (share: number) => Promise<void> {
  let last = 0;
  return async (share) => {
    const percent = Math.min(99, Math.floor(100 * share));
    if (percent < last + REPORTED_PERCENT) return;
    last = percent;
    const updated = await ctx.db
      .update(textTimings)
      .set({ percent, aliveAt: ctx.now() })
      .where(isOwn(timing))
      .returning({ id: textTimings.episodeId });
    if (updated.length === 0) throw new Superseded();
  };
}

/** `startedAt` identifies the text: a success deletes the row, and the attempts of the next text begin at 0 again. */
const isOwn = ({ episodeId, attempt, startedAt }: TimingRow) =>
  and(
    eq(textTimings.episodeId, episodeId),
    eq(textTimings.attempt, attempt),
    eq(textTimings.startedAt, startedAt),
    eq(textTimings.status, 'running'),
  );

/** Stores the transcript, unless the sound or the stored transcript has changed meanwhile. */
async function store(ctx: Ctx, timing: TimingRow, cues: TimedCue[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const episode = await lockEpisodeRow(tx, timing.episodeId);
    if (episode?.audioKey !== timing.audioKey) return endTiming(tx, timing, audioReplaced());
    const [own] = await tx.db
      .select({ id: textTimings.episodeId })
      .from(textTimings)
      .where(isOwn(timing))
      .for('update');
    if (!own) return;
    const { language, fileName, former } = timing;
    const transcript = { source: 'aligned' as const, cues, language, fileName, former };
    const isStored = await storeTranscript(tx, episode, transcript).then(() => true, isOther);
    if (isStored) await tx.db.delete(textTimings).where(isOwn(timing));
    else await endTiming(tx, timing, transcriptChanged());
  });
}

/** False if the stored transcript is not the one any more that the result may replace. */
function isOther(error: unknown): false {
  if (error instanceof AppError && error.code === 'episode.already_changed') return false;
  throw error;
}

const failTiming = (ctx: Ctx, timing: TimingRow, reason: AppError): Promise<void> =>
  transact(ctx, (tx) => endTiming(tx, timing, reason));

/** Keeps the text, so that its creator can repeat it. */
async function endTiming(tx: TxCtx, timing: TimingRow, { code }: AppError): Promise<void> {
  await tx.db.update(textTimings).set({ status: 'failed', reason: code }).where(isOwn(timing));
}
