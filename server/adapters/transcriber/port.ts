import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import type { Heard } from '../../transcript/heard';

/** A part of a recording that plays on its own. */
export type SoundPiece = { mp3: Uint8Array<ArrayBuffer>; durationMs: number };

export type Hearing = {
  /** As a code of two letters; null if the engine has to find it. */
  language: string | null;
  /** Words and names to expect, the most important ones first. Each engine gets as many as it takes. */
  terms: readonly string[];
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
  /** Of an engine on this machine, in bytes, once it has heard something; null for others. */
  usedMemory?(): Promise<number | null>;
  close(): Promise<void>;
};

/** Without times, a piece is one passage, so it is shorter. */
export const pieceMsOf = (isTimed: boolean): number => TRANSCRIPTION_LIMITS[isTimed ? 'pieceMs' : 'untimedPieceMs'];

/** The first terms, as many as an engine takes. `characters`: of all of them together, with `, ` between them. */
export function firstTerms(terms: readonly string[], most: { items: number; characters: number }): string[] {
  let characters = 0;
  return terms.slice(0, most.items).filter((term) => {
    characters += term.length + ', '.length;
    return characters <= most.characters;
  });
}
