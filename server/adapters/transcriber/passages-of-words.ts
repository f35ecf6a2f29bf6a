import type { HeardPassage, HeardWord } from '../../transcript/heard';

export type SpokenWord = HeardWord & { speaker?: string | null };

/** A sentence is a passage unless it is shorter than this, in characters: `Dr.` ends no sentence. */
const SHORTEST = 40;
/** A sentence without an end is divided where it gets longer than this. */
const LONGEST = 300;
/** A pause that is longer divides sentences, too. */
const PAUSE_MS = 1500;

/** The words of an engine that tells no sentences, as passages: a sentence, or what one voice says before a long pause. */
export function passagesOfWords(words: readonly SpokenWord[]): HeardPassage[] {
  const passages: HeardPassage[] = [];
  let last: SpokenWord | null = null;
  for (const word of words) {
    const passage = passages.at(-1);
    if (!passage || !last || isEnd(passage, last, word)) passages.push(startOf(word));
    else append(passage, word);
    last = word;
  }
  return passages;
}

function isEnd({ text }: HeardPassage, last: SpokenWord, next: SpokenWord): boolean {
  if ((last.speaker ?? null) !== (next.speaker ?? null) || next.startMs - last.endMs > PAUSE_MS) return true;
  if (text.length + next.text.length >= LONGEST) return true;
  return text.length >= SHORTEST && /[.!?…。！？]["'”’»)\]]*$/.test(last.text);
}

const startOf = ({ speaker, ...word }: SpokenWord): HeardPassage => ({
  ...{ startMs: word.startMs, endMs: word.endMs, text: word.text, words: [word] },
  ...(speaker != null && { speaker }),
});

function append(passage: HeardPassage, { speaker: _, ...word }: SpokenWord): void {
  passage.text += ` ${word.text}`;
  passage.endMs = word.endMs;
  passage.words.push(word);
}
