import { type Cue, isTimed } from '../transcript/model';
import { wordsOf } from '../transcript/words';

/** A passage whose words are timed together and that becomes a cue. */
export type Sentence = { speaker: string | null; text: string; words: string[] };

/** The passages of a transcript with times; otherwise the sentences of a text, because its paragraphs are too long. */
export function sentencesOf(cues: Cue[]): Sentence[] {
  if (cues.some(isTimed)) return cues.map(({ speaker, text }) => ({ speaker, text, words: wordsOf(text) }));
  return cues.flatMap(({ speaker, text }) => splitSentences(wordsOf(text)).map((words) => sentence(speaker, words)));
}

const sentence = (speaker: string | null, words: string[]): Sentence => ({ speaker, text: words.join(' '), words });

/** A sentence without an end is cut here. */
const MOST_WORDS = 40;
const SENTENCE_END = /[.!?…。！？؟][\p{Pe}\p{Pf}"'”’]*$/u;
const CONTINUES = /^\p{Ll}/u;

function splitSentences(words: string[]): string[][] {
  const sentences: string[][] = [];
  let current: string[] = [];
  for (const [i, word] of words.entries()) {
    current.push(word);
    const next = words[i + 1];
    const isEnd = SENTENCE_END.test(word) && next !== undefined && !CONTINUES.test(next);
    if (!isEnd && current.length < MOST_WORDS) continue;
    sentences.push(current);
    current = [];
  }
  if (current.length > 0) sentences.push(current);
  return sentences;
}

/** A longer word is not one: nobody says it, and it would keep the synthesiser busy. */
const WORD_LENGTH = 60;
const UNSPOKEN = /[^\p{L}\p{M}\p{N}.,;:?!'’%€$£-]/gu;
const SPOKEN = /[\p{L}\p{N}]/u;

/** What a synthesiser says for a word: no character that could be a command of it. Null for `–` or `♪`. */
export function spokenWord(word: string): string | null {
  const spoken = word.slice(0, WORD_LENGTH).replace(UNSPOKEN, '');
  return SPOKEN.test(spoken) ? spoken : null;
}
