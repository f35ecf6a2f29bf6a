import { storable } from '../base/normalized';

/** A word that an engine heard; times in milliseconds from the start of its piece. */
export type HeardWord = { text: string; startMs: number; endMs: number; confidence?: number };
/**
 * A passage that an engine heard. Its words may lack the punctuation of its text; without times, it has none. `speaker`:
 * how the engine names the voice in this piece; another piece may give the name to another voice.
 */
export type HeardPassage = {
  startMs: number;
  endMs: number;
  text: string;
  words: HeardWord[];
  speaker?: string | null;
};
/** `language`: as a code of two letters; null if the engine did not say. */
export type Heard = { language: string | null; passages: HeardPassage[] };

/** With texts that can be stored: otherwise, the piece would be heard, and paid for, again. */
export function storableHeard({ language, passages }: Heard): Heard {
  return {
    language,
    passages: passages.map(({ speaker, text, words, ...times }) => ({
      ...{ ...times, text: storable(text), words: words.map((word) => ({ ...word, text: storable(word.text) })) },
      ...(speaker != null && { speaker: storable(speaker) }),
    })),
  };
}
