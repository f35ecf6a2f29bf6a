import { and, eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { transcriptionPieces, transcriptionRuns } from '~/db/schema/transcription';
import { DEFAULT_LANGUAGE, isLanguage } from '~/locales/languages';
import { AppError } from '../../base/errors';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { cuesOfPiece, mainLanguage } from '../../transcript/cues-of-piece';
import { glossaryOf, withGlossary } from '../../transcript/glossary';
import type { Cue } from '../../transcript/model';
import { withSpeakerNames } from '../../transcript/speakers-of-pieces';
import { lookupGlossary } from '../episodes/glossary';
import { lockEpisodeRow, lookupEpisodeRow } from '../episodes/queries';
import { type NewTranscript, storeTranscript } from '../episodes/store-transcript';
import { audioReplaced, notRecognised } from './errors';
import { listPieces, type PieceRow, type RunRow } from './queries';
import { minutesFor } from './rules';
import { tellOfRun } from './tell-of-run';

/**
 * All pieces were heard: stores the transcript, unless the episode has got another one meanwhile. Cancels the run if the
 * episode was deleted, or has another file.
 */
export async function finishRun(ctx: Ctx, run: RunRow): Promise<void> {
  const { cues, language } = joined(ctx, await listPieces(ctx, run.id));
  if (cues.length === 0) return failRun(ctx, run, notRecognised());
  await ctx.reach('transcription.joined');
  const isThere = await transact(ctx, async (tx) => {
    const episode = run.episodeId === null ? null : await lockEpisodeRow(tx, run.episodeId);
    if (episode?.audioKey !== run.audioKey) return false;
    const spoken = language ?? run.language ?? (await languageOf(tx, episode.productId));
    const transcript = await engineTranscript(tx, episode.productId, { cues, language: spoken });
    if (!(await end(tx, run, { status: 'done' }))) return true;
    const isStored = await storeTranscript(tx, episode, { ...transcript, former: run.former }).then(
      () => true,
      isOther,
    );
    if (isStored) await dropPieces(tx, run.id);
    else await tx.db.update(transcriptionRuns).set({ status: 'waiting' }).where(eq(transcriptionRuns.id, run.id));
    await tellOfRun(tx, run, { status: isStored ? 'done' : 'waiting' });
    return true;
  });
  if (!isThere) await cancelRun(ctx, run);
}

async function languageOf(tx: TxCtx, productId: number): Promise<string> {
  const [row] = await tx.db.select({ language: products.language }).from(products).where(eq(products.id, productId));
  return row?.language ?? 'en';
}

/** What an engine heard, with the corrections of the show's glossary; the original is what it wrote. */
export async function engineTranscript(
  ctx: Pick<Ctx, 'db'>,
  productId: number,
  heard: { cues: Cue[]; language: string },
): Promise<NewTranscript> {
  const glossary = glossaryOf((await lookupGlossary(ctx, productId))?.lines ?? []);
  const cues = heard.cues.map((cue) => withGlossary(cue, glossary));
  const isCorrected = cues.some((cue, index) => cue !== heard.cues[index]);
  return { ...heard, source: 'engine', cues, original: isCorrected ? heard.cues : null, fileName: ENGINE_FILE };
}

/** The name under which the transcript of an engine can be downloaded. */
const ENGINE_FILE = 'transcript.vtt';

/** False if the transcript is not the one any more that the result may replace: its creator decides. */
function isOther(error: unknown): false {
  if (error instanceof AppError && error.code === 'episode.already_changed') return false;
  throw error;
}

/** The cues of all pieces in the episode's time, and the language of most of them. */
export function joined(
  ctx: Pick<Ctx, 'translate'>,
  pieces: readonly Pick<PieceRow, 'heard' | 'times'>[],
): { cues: Cue[]; language: string | null } {
  const heard = pieces.flatMap((piece) => (piece.heard ? [{ ...piece.heard, times: piece.times }] : []));
  const language = mainLanguage(heard);
  const nameOf = (number: number) =>
    ctx.translate('content:speaker', { number }, isLanguage(language) ? language : DEFAULT_LANGUAGE);
  const named = withSpeakerNames(heard, nameOf);
  return { cues: named.flatMap((piece) => cuesOfPiece(piece, piece.times)), language };
}

/** Returns the minutes. */
export async function failRun(ctx: Ctx, run: RunRow, { code }: AppError): Promise<void> {
  await transact(ctx, async (tx) => {
    if (!(await end(tx, run, { status: 'failed', reason: code, minutes: 0 }))) return;
    await dropPieces(tx, run.id);
    await tellOfRun(tx, run, { status: 'failed', reason: code });
  });
}

/** Ends a run whose episode was deleted, or has another file. The minutes of pieces that were heard are used. */
export async function cancelRun(ctx: Ctx, run: RunRow): Promise<void> {
  const episode = run.episodeId === null ? null : await lookupEpisodeRow(ctx, run.episodeId);
  const heard = (await listPieces(ctx, run.id)).filter((piece) => piece.heard !== null);
  const used = minutesFor(heard.reduce((sum, { times }) => sum + times.toMs - times.fromMs, 0));
  const ended = { reason: episode ? audioReplaced().code : null, minutes: Math.min(used, run.minutes) };
  await transact(ctx, async (tx) => {
    if (await end(tx, run, { status: 'cancelled', ...ended })) await dropPieces(tx, run.id);
  });
}

type Ending = Pick<typeof transcriptionRuns.$inferInsert, 'status' | 'reason' | 'minutes'>;

/** False if it has ended already: a late process changes nothing. */
async function end(tx: TxCtx, { id }: RunRow, ending: Partial<Ending>): Promise<boolean> {
  const ended = await tx.db
    .update(transcriptionRuns)
    .set({ ...ending, endedAt: tx.now() })
    .where(and(eq(transcriptionRuns.id, id), eq(transcriptionRuns.status, 'running')))
    .returning({ id: transcriptionRuns.id });
  return ended.length > 0;
}

export const dropPieces = (tx: Pick<TxCtx, 'db'>, runId: number) =>
  tx.db.delete(transcriptionPieces).where(eq(transcriptionPieces.runId, runId));
