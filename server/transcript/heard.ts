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
