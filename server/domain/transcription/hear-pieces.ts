import { and, eq, exists, isNull } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { transcriptionPieces, transcriptionRuns } from '~/db/schema/transcription';
import type { Transcriber } from '../../adapters/transcriber/port';
import { readSlice } from '../../audio/bytes';
import { cutChunk } from '../../audio/chunks';
import { createSlots } from '../../flow/slots';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import { whereKept } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { storableHeard } from '../../transcript/heard';
import type { OpenRecording } from '../media/recordings';
import type { Prepared } from './prepare-pieces';
import type { PieceRow, RunRow } from './queries';

/** `terms`: words of the show's glossary. */
type Work = Prepared & { run: RunRow; transcriber: Transcriber; terms: string[] };

/**
 * Has the pieces heard that have no result, some at a time, and stores each result at once.
 * @returns false if the run has ended meanwhile, or another process has taken it over
 */
export async function hearPieces(ctx: Ctx, { run, terms, transcriber, recording, pieces }: Work): Promise<boolean> {
  const stopping = new AbortController();
  const withSlot = createSlots(TRANSCRIPTION_LIMITS.atOnce);
  let isMine = true;
  const open = pieces.filter(({ heard }) => heard === null);
  const hearing = open.map((piece) =>
    withSlot(async () => {
      if (stopping.signal.aborted || !isMine) return;
      isMine = await isStillMine(ctx, run);
      if (isMine)
        await hearPiece(ctx, { language: run.language, terms, piece, transcriber, recording, signal: stopping.signal });
    }).catch((error) => {
      stopping.abort(error);
      throw error;
    }),
  );
  // results that arrive after a failure are stored, too: they are paid for
  const failed = (await Promise.allSettled(hearing)).filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw stopping.signal.reason;
  return isMine && (await isStillMine(ctx, run));
}

/** Whether this process still works on the run, and the episode still has the sound. Says that the run is alive. */
async function isStillMine(ctx: Ctx, { id, attempt, audioKey }: RunRow): Promise<boolean> {
  const { episodeId, status } = transcriptionRuns;
  const hasSound = and(eq(episodes.id, episodeId), eq(episodes.audioKey, audioKey), whereKept());
  const mine = await ctx.db
    .update(transcriptionRuns)
    .set({ aliveAt: ctx.now() })
    .where(
      and(
        eq(transcriptionRuns.id, id),
        eq(status, 'running'),
        eq(transcriptionRuns.attempt, attempt),
        exists(ctx.db.select({ id: episodes.id }).from(episodes).where(hasSound)),
      ),
    )
    .returning({ id: transcriptionRuns.id });
  return mine.length > 0;
}

type Hearing = Pick<Work, 'terms'> & {
  language: string | null;
  piece: PieceRow;
  transcriber: Transcriber;
  recording: OpenRecording;
  signal: AbortSignal;
};

async function hearPiece(ctx: Ctx, { language, terms, piece, transcriber, recording, signal }: Hearing): Promise<void> {
  const { runId, position } = piece;
  const isIt = and(eq(transcriptionPieces.runId, runId), eq(transcriptionPieces.position, position));
  const { mp3, durationMs } = await readPiece(recording, piece);
  const heard = await transcriber.hear(
    { mp3, durationMs },
    {
      ...{ language, terms },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TRANSCRIPTION_LIMITS.pieceFor)]),
      order: piece.remoteOrder,
      async onOrder(remoteOrder) {
        await ctx.db.update(transcriptionPieces).set({ remoteOrder }).where(isIt);
      },
    },
  );
  await ctx.reach('piece.heard');
  await ctx.db
    .update(transcriptionPieces)
    .set({ heard: storableHeard(heard), heardAt: ctx.now() })
    .where(and(isIt, isNull(transcriptionPieces.heard)));
}

async function readPiece(recording: OpenRecording, { fromFrame, toFrame }: PieceRow) {
  const { segments, bytes, durationMs } = await cutChunk(recording, fromFrame, toFrame);
  const mp3 = new Uint8Array(bytes);
  let at = 0;
  for (const { bytes: length, from } of segments) {
    mp3.set('memory' in from ? from.memory : await readSlice(recording.source, from.start, length), at);
    at += length;
  }
  return { mp3, durationMs };
}
