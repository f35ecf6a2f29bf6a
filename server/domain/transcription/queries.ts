import { asc, eq } from 'drizzle-orm';
import { transcriptionPieces, type transcriptionRuns } from '~/db/schema/transcription';
import type { Ctx } from '../../runtime/ctx';

export type RunRow = typeof transcriptionRuns.$inferSelect;
export type PieceRow = typeof transcriptionPieces.$inferSelect;

/** The pieces of a run, in their order. */
export const listPieces = ({ db }: Pick<Ctx, 'db'>, runId: number): Promise<PieceRow[]> =>
  db
    .select()
    .from(transcriptionPieces)
    .where(eq(transcriptionPieces.runId, runId))
    .orderBy(asc(transcriptionPieces.position));
