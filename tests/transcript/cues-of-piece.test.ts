import { expect, test } from 'vitest';
import { cuesOfPiece, mainLanguage } from '~/server/transcript/cues-of-piece';
import type { HeardPassage } from '~/server/transcript/heard';
import { wordsOf } from '~/server/transcript/words';

const PIECE = { offsetMs: 9974, fromMs: 10_000, toMs: 20_000 };
const passage = (over: Partial<HeardPassage>): HeardPassage => ({
  ...{ startMs: 26, endMs: 2026, text: 'one two', words: [] },
  ...over,
});
const cuesOf = (...passages: HeardPassage[]) => cuesOfPiece({ passages }, PIECE);

test('times of a piece become times of the recording, without the frame that makes it decode', () => {
  const words = [
    { text: 'one', startMs: 26, endMs: 526 },
    { text: 'two', startMs: 1026, endMs: 2026 },
  ];

  expect(cuesOf(passage({ words }))).toEqual([
    {
      ...{ startMs: 10_000, endMs: 12_000, speaker: null, text: 'one two' },
      words: [
        [10_000, 10_500],
        [11_000, 12_000],
      ],
    },
  ]);
});

test('a word of the text that was not heard as one shares the time between its neighbours', () => {
  const words = [
    { text: 'in', startMs: 26, endMs: 226 },
    { text: 'we', startMs: 1026, endMs: 1126 },
  ];

  const [cue] = cuesOf(passage({ text: 'In 1999, we', words }));

  expect(cue!.words).toEqual([
    [10_000, 10_200],
    [10_200, 11_000],
    [11_000, 11_100],
  ]);
});

test('unknown words before, between and after known ones share the time around them', () => {
  const words = [
    { text: 'b', startMs: 1026, endMs: 1226 },
    { text: 'd', startMs: 3026, endMs: 3226 },
  ];

  const [cue] = cuesOf(passage({ text: 'a b c d e', endMs: 4026, words }));

  expect(cue!.words).toEqual([
    [10_000, 11_000],
    [11_000, 11_200],
    [11_200, 13_000],
    [13_000, 13_200],
    [13_200, 14_000],
  ]);
});

test('a heard word is read once, however many words of the text are compared with it', () => {
  let reads = 0;
  const word = {
    ...{ startMs: 26, endMs: 526 },
    get text() {
      reads += 1;
      return 'other';
    },
  };

  cuesOf(passage({ text: 'a b c d e', words: [word] }));

  expect(reads).toBe(1);
});

test.each([
  ['overlapping', [passage({}), passage({ startMs: 1026, endMs: 3026, text: 'three' })]],
  ['negative', [passage({ startMs: -5000, endMs: 1026, words: [{ text: 'one', startMs: -9, endMs: -1 }] })]],
  ['beyond the piece', [passage({ startMs: 9000, endMs: 99_000, words: [{ text: 'two', startMs: 5e9, endMs: 6e9 }] })]],
  ['backwards', [passage({ startMs: 3026, endMs: 1026 }), passage({ text: 'first', startMs: 0, endMs: 500 })]],
  ['not numbers', [passage({ words: [{ text: 'one', startMs: Number.NaN, endMs: 3 }] })]],
])('times that are %s are moved into order, and every word keeps one', (_, passages) => {
  const cues = cuesOf(...passages);
  const times = cues.flatMap(({ words }) => words!).flat();

  expect(cues.map(({ text, words }) => wordsOf(text).length === words!.length)).not.toContain(false);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.filter((ms) => ms < PIECE.fromMs || ms > PIECE.toMs || !Number.isInteger(ms))).toEqual([]);
});

test('passages without text or times are left out, and control characters are removed', () => {
  const cues = cuesOf(
    passage({ text: ' \u0000\n ' }),
    passage({ startMs: Number.NaN }),
    passage({ text: 'a\u0007b\nc' }),
  );

  expect(cues.map(({ text }) => text)).toEqual(['a b c']);
});

test('the language is the one in which most is said', () => {
  const said = (language: string | null, text: string) => ({ language, passages: [passage({ text })] });

  expect(mainLanguage([said('en', 'short'), said('es', 'mucho más largo'), said(null, 'x'.repeat(99))])).toBe('es');
  expect(mainLanguage([said(null, 'words')])).toBeNull();
});
