import { transcriptionPieces } from '~/db/schema/transcription';
import { chunkBounds, cutChunk } from '../../audio/chunks';
import { timeOf } from '../../audio/frame-header';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import type { Ctx } from '../../runtime/ctx';
import type { EpisodeRow } from '../episodes/queries';
import { readPauses } from '../insertions/pauses';
import { type OpenRecording, openRecording } from '../media/recordings';
import { listPieces, type PieceRow, type RunRow } from './queries';

export type Prepared = { recording: OpenRecording; pieces: PieceRow[] };
type Planned = { run: RunRow; episode: EpisodeRow; pieceMs: number };

/**
 * The pieces of a run in their order, cut at pauses at its first attempt; later ones keep them. Null if the sound is gone.
 * The caller closes the recording.
 */
export async function preparePieces(ctx: Ctx, { run, episode, pieceMs }: Planned): Promise<Prepared | null> {
  const { audioKey } = run;
  const recording = await openRecording(ctx.ports.storage, { key: audioKey, sha256: audioKey, keepsIndex: true });
  if (!recording) return null;
  const stored = await listPieces(ctx, run.id);
  if (stored.length > 0) return { recording, pieces: stored };
  const { index } = recording;
  const pauses = (await readPauses(ctx, episode)) ?? [];
  const bounds = chunkBounds(index, pauses, { maxMs: pieceMs, maxBytes: TRANSCRIPTION_LIMITS.pieceBytes });
  const planned = bounds.slice(1).map(async (toFrame, position) => {
    const fromFrame = bounds[position]!;
    const { offsetMs } = await cutChunk(recording, fromFrame, toFrame);
    const times = { offsetMs, fromMs: timeOf(index, fromFrame), toMs: timeOf(index, toFrame) };
    return { runId: run.id, position, fromFrame, toFrame, times };
  });
  await ctx.db
    .insert(transcriptionPieces)
    .values(await Promise.all(planned))
    .onConflictDoNothing();
  return { recording, pieces: await listPieces(ctx, run.id) };
}
