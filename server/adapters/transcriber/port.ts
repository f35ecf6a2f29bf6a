import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import type { Heard } from '../../transcript/heard';

/** A part of a recording that plays on its own. */
export type SoundPiece = { mp3: Uint8Array<ArrayBuffer>; durationMs: number };

export type Hearing = {
  /** As a code of two letters; null if the engine has to find it. */
  language: string | null;
  signal: AbortSignal;
  /** The order that a former attempt has placed for this piece; an engine that keeps orders answers it again for free. */
  order: string | null;
  /** Stores an order before its answer is there. */
  onOrder(order: string): Promise<void>;
};

/** An engine that writes down what is said. */
export type Transcriber = {
  name: string;
  /** The length of a piece that it hears at once, in milliseconds. */
  pieceMs: number;
  /** @throws TranscriberUnavailable, TranscriberRejected */
  hear(piece: SoundPiece, how: Hearing): Promise<Heard>;
  close(): Promise<void>;
};

/** Without times, a piece is one passage, so it is shorter. */
export const pieceMsOf = (isTimed: boolean): number => TRANSCRIPTION_LIMITS[isTimed ? 'pieceMs' : 'untimedPieceMs'];
