import { expect, test } from 'vitest';
import { roughTimes } from '~/server/alignment/rough-times';
import type { Sentence } from '~/server/alignment/script';

const sentence = (text: string): Sentence => ({ speaker: null, text, words: text.split(' ') });
const three = ['aaaa aaaa.', 'bbbb bbbb.', 'cccc cccc.'].map(sentence);

test('sentences begin after pauses that are near their share of the speech', () => {
  const silences = [
    { startMs: 0, endMs: 1_000 },
    { startMs: 3_900, endMs: 4_400 },
    { startMs: 7_700, endMs: 8_000 },
  ];

  const cues = roughTimes(three, silences, 11_000);

  expect(cues.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [1_000, 4_400],
    [4_400, 8_000],
    [8_000, 11_000],
  ]);
  expect(cues[0]).toMatchObject({
    words: [
      [1_000, expect.any(Number)],
      [expect.any(Number), 4_400],
    ],
    confidence: 0,
  });
});

test.each([
  ['no pauses', [], 9_000],
  ['one long pause', [{ startMs: 0, endMs: 9_000 }], 9_000],
  [
    'a pause per sentence and more',
    Array.from({ length: 20 }, (_, i) => ({ startMs: i * 450, endMs: i * 450 + 300 })),
    9_000,
  ],
  ['less time than words', [], 2],
])('with %s, times are in order and within the sound', (_, silences, durationMs) => {
  const times = roughTimes(three, silences, durationMs).flatMap(({ startMs, endMs, words }) => [
    startMs,
    ...words!.flat(),
    endMs,
  ]);

  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBe(durationMs);
});
