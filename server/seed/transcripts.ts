import type { Cue, WordTime } from '../transcript/model';

/** Transcripts of demo episodes, by name. Music has no words, so they describe the sound. */
export const TRANSCRIPTS: Record<string, string> = {
  'For a satellite': `WEBVTT

00:00:00.000 --> 00:00:09.000
[A slow pulse, as far away as it sounds]

00:00:20.000 --> 00:00:28.000
[The melody comes near and answers itself]

00:00:45.000 --> 00:00:52.000
[Every second note is missing now]
`,
  'Lisboa, tranvía de las siete': `WEBVTT

00:00:00.000 --> 00:00:08.000
[Cuatro notas suben despacio, como un tranvía que arranca]

00:00:24.000 --> 00:00:32.000
[La melodía repite la cuesta, una octava más alta]

00:01:01.500 --> 00:01:10.000
[Queda el bajo solo: última parada]
`,
};

export type SpokenWord = [text: string, startMs: number, endMs: number];

/** Less than this needs a look. */
const UNSURE = 0.3;

/**
 * The words of the demo's spoken episode in English, a passage for each sentence, as an engine would have heard them: two
 * sentences have a word that it took for another one.
 */
export function heardTranscript(words: SpokenWord[]): Cue[] {
  const sentences: SpokenWord[][] = [[]];
  for (const word of words) {
    sentences.at(-1)!.push(word);
    if (word[0].endsWith('.')) sentences.push([]);
  }
  return sentences.filter(({ length }) => length > 0).map(toCue);
}

function toCue(words: SpokenWord[]): Cue {
  const heard = words.map(([text]) => MISHEARD[text] ?? text);
  const isUnsure = words.some(([text]) => text in MISHEARD);
  return {
    startMs: words[0]![1],
    endMs: words.at(-1)![2],
    speaker: 'Ada',
    text: heard.join(' '),
    words: words.map(([, startMs, endMs]): WordTime => [startMs, endMs]),
    confidence: isUnsure ? UNSURE : 0.95,
  };
}

const MISHEARD: Record<string, string> = { transformers: 'transfers', 'notes,': 'nodes,' };
