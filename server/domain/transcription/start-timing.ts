import { eq, lt, or, sql } from 'drizzle-orm';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { textTimings } from '~/db/schema/transcription';
import { earlier } from '../../base/time';
import { TIMING_LIMITS } from '../../limits/transcription';
import { TRANSCRIPT_LIMITS } from '../../limits/transcripts';
import { authorize } from '../../policy/authorize';
import { timeText } from '../../queue/jobs/transcription';
import { type Ctx, transact } from '../../runtime/ctx';
import type { Cue } from '../../transcript/model';
import { parseTranscript } from '../../transcript/parse-transcript';
import { wordsOf } from '../../transcript/words';
import { transcriptFaults } from '../episodes/errors';
import { findEpisodeRecord } from '../episodes/queries';
import { recordAbout } from '../team/activity';
import { noSound, soundTooLong, textMissing, textTooLong, timingRunning } from './errors';
import type { StartTiming } from './schema';

/** The name under which a pasted text can be downloaded. */
const PASTED_FILE = 'transcript.txt';

/**
 * Has the words of a text timed: of a given one, or of the stored transcript. The result replaces the stored transcript
 * unless that is changed meanwhile. @throws episode.not_found, transcript.*, timing.*
 */
export async function startTiming(ctx: Ctx, input: StartTiming): Promise<{ words: number }> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const { audioKey, durationMs } = episode;
  if (audioKey === null || durationMs === null) throw noSound();
  if (durationMs > TIMING_LIMITS.longest) throw soundTooLong();
  const stored = await lookupStored(ctx, episode.id);
  const cues = input.content === '' ? stored?.cues : cuesIn(input);
  if (!cues) throw textMissing();
  const words = cues.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  if (words > TIMING_LIMITS.words) throw textTooLong({ max: TIMING_LIMITS.words });
  await ctx.reach('timing.read');
  const fileName = input.fileName || stored?.fileName || PASTED_FILE;
  await transact(ctx, async (tx) => {
    const { language } = input;
    const { creatorId, id: episodeId } = episode;
    const work = { cues, language, fileName, audioKey, former: stored?.updatedAt ?? null };
    const values = {
      ...work,
      status: 'running' as const,
      reason: null,
      percent: 0,
      startedAt: tx.now(),
      aliveAt: tx.now(),
    };
    const isLost = lt(textTimings.aliveAt, earlier(tx.now(), TIMING_LIMITS.lostAfter));
    const started = await tx.db
      .insert(textTimings)
      .values({ episodeId, creatorId, ...values })
      .onConflictDoUpdate({
        target: textTimings.episodeId,
        // a process that still works on a lost text stores nothing
        set: { ...values, attempt: sql`${textTimings.attempt} + 1` },
        setWhere: or(eq(textTimings.status, 'failed'), isLost),
      })
      .returning({ id: textTimings.episodeId });
    if (started.length === 0) throw timingRunning();
    await recordAbout(tx, 'episode.timing_started', episode);
    await tx.jobs.enqueue(timeText, { episodeId });
  });
  return { words };
}

function cuesIn({ content, fileName }: StartTiming): Cue[] {
  const parsed = parseTranscript(Buffer.from(content, 'base64'), { isMarkdown: /\.(?:md|markdown)$/i.test(fileName) });
  if (!parsed.ok && parsed.fault === 'empty' && fileName === '') throw textMissing();
  if (!parsed.ok) throw transcriptFaults[parsed.fault]({ max: TRANSCRIPT_LIMITS.cues });
  return parsed.cues;
}

async function lookupStored({ db }: Pick<Ctx, 'db'>, episodeId: number) {
  const { cues, fileName, updatedAt } = episodeTranscripts;
  const [row] = await db
    .select({ cues, fileName, updatedAt })
    .from(episodeTranscripts)
    .where(eq(episodeTranscripts.episodeId, episodeId));
  return row ?? null;
}
