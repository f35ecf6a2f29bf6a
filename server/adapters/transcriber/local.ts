import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import type { Heard, HeardPassage } from '../../transcript/heard';
import { shared, wordsOf } from '../../transcript/words';
import { languageCode } from './language-codes';
import { passagesOfWords, type SpokenWord } from './passages-of-words';
import type { Transcriber } from './port';

/** An engine on this machine, which hears the speech between two pauses at once (server/recognition). */
type Recogniser = {
  hear(mp3: Uint8Array, how: { language: string | null; signal: AbortSignal }): Promise<Heard>;
  usedMemory(): number | null;
  close(): Promise<void>;
};
type WithSlot = <T>(work: () => Promise<T>) => Promise<T>;

/** The local engine, for one piece at a time. */
export function localTranscriber(recogniser: Recogniser, withSlot: WithSlot): Transcriber {
  return {
    name: 'local',
    pieceMs: TRANSCRIPTION_LIMITS.localPieceMs,
    async hear({ mp3 }, { language, signal }) {
      const { language: found, passages } = await withSlot(() => recogniser.hear(mp3, { language, signal }));
      return { language: languageCode(found), passages: passagesOfWords(passages.flatMap(spokenWords)) };
    },
    usedMemory: async () => recogniser.usedMemory(),
    close: recogniser.close,
  };
}

/** Without times of words, the words of a passage share its time in proportion to their length. */
function spokenWords({ text, startMs, endMs, words }: HeardPassage): SpokenWord[] {
  if (words.length > 0) return words;
  const plain = wordsOf(text);
  return shared(plain, startMs, endMs).map(([from, to], i) => ({ text: plain[i]!, startMs: from, endMs: to }));
}
