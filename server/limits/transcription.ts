import { DAYS, HOURS, MINUTES } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * How episodes are transcribed. `longest`: longer episodes are not. `pieceMs`: length of a piece, which is paid for again
 * only if the process dies while the engine hears it; `untimedPieceMs`: of an engine that tells no times;
 * `voicesPieceMs`: of one that tells voices apart, which are named again in each piece; `localPieceMs`: of the local engine,
 * for which six pieces of two episodes wait in turn, and which may be slower than the sound. `atOnce`:
 * pieces of one episode at the engine at the same time. `answerBytes`: size of an engine's answer about one piece.
 * `pieceFor`: how long an engine may take for a piece. `retryAfter`: the pause while an engine is away. `lostAfter`: a run
 * without progress continues with a new job, and after `givenUp` it fails. `kept`: how long the creator can decide about a
 * result that was not stored. `toldAfter`: the creator gets an email about a run that took longer.
 */
export const TRANSCRIPTION_LIMITS = {
  longest: HOURS(6),
  pieceMs: MINUTES(10),
  untimedPieceMs: MINUTES(1),
  voicesPieceMs: MINUTES(25),
  localPieceMs: MINUTES(1),
  pieceBytes: 24_000_000,
  atOnce: 3,
  answerBytes: 8 * MEGABYTES,
  pieceFor: MINUTES(20),
  retryAfter: MINUTES(1),
  lostAfter: MINUTES(30),
  givenUp: HOURS(12),
  kept: DAYS(30),
  toldAfter: MINUTES(3),
  recoveredAtOnce: 100,
} as const;

/**
 * Times for a text. `longest`: of the sound. `words`: of the text, more than six hours of speech. `lostAfter`: without
 * progress for so long, its job was lost. `unsure`: somebody should look at sentences with less confidence.
 */
export const TIMING_LIMITS = { longest: HOURS(6), words: 80_000, lostAfter: MINUTES(15), unsure: 0.5 } as const;
