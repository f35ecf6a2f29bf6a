import { expect, test } from 'vitest';
import { choosePassage, titleFrom } from '~/app/features/studio/soundbites/choose-passage';
import { captionsIn, heardSpan, shortCaptionsIn } from '~/server/domain/soundbites/rules';
import type { Cue } from '~/server/transcript/model';

const cue = (startMs: number | null, endMs: number | null, text: string, words?: [number, number][]): Cue => ({
  ...{ startMs, endMs, text, speaker: null },
  ...(words && { words }),
});

test.each([
  ['a passage inside is whole', [cue(12_000, 14_000, 'one two')], [[2000, 4000, 'one two']]],
  ['passages outside are left out', [cue(0, 10_000, 'before'), cue(20_000, 21_000, 'after')], []],
  [
    'only the words inside stay of a passage that begins before',
    [
      cue(8000, 12_000, 'not yet now', [
        [8000, 9000],
        [9000, 9900],
        [10_100, 12_000],
      ]),
    ],
    [[100, 2000, 'now']],
  ],
  ['words without times share the time of their passage', [cue(18_000, 22_000, 'now past')], [[8000, 9714, 'now']]],
  ['a passage without times is left out', [cue(null, null, 'untimed')], []],
])('%s', (_, cues, expected) => {
  const captions = captionsIn(cues, { startMs: 10_000, endMs: 20_000 });

  expect(captions.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual(expected);
});

const LONG =
  'The town had no bridge, because everybody had a boat. Then the winter came, and the boats froze in the ice for eleven weeks, which nobody had ever seen.';

test('a long passage becomes captions that a picture has room for, at the times of their words', () => {
  const words = LONG.split(' ').map((_, index): [number, number] => [10_000 + index * 300, 10_200 + index * 300]);

  const captions = shortCaptionsIn([cue(10_000, 20_000, LONG, words)], { startMs: 10_000, endMs: 20_000 });

  expect(captions.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
    [0, 2900, 'The town had no bridge, because everybody had a boat.'],
    [3000, 6200, 'Then the winter came, and the boats froze in the ice'],
    [6300, 8600, 'for eleven weeks, which nobody had ever seen.'],
  ]);
  expect(captions.map(({ text }) => text).join(' ')).toBe(LONG);
  expect(captionsIn([cue(10_000, 20_000, LONG, words)], { startMs: 10_000, endMs: 20_000 })).toHaveLength(1);
});

test('of a passage that begins before, the captions have the times of their own words', () => {
  const words = LONG.split(' ').map((_, index): [number, number] => [index * 300, index * 300 + 200]);

  const captions = shortCaptionsIn([cue(0, 10_000, LONG, words)], { startMs: 3000, endMs: 10_000 });

  expect(captions[0]).toMatchObject({ startMs: 0, text: expect.stringMatching(/^Then the winter/) });
  expect(captions[1]).toMatchObject({ startMs: words[LONG.split(' ').indexOf('for')]![0] - 3000 });
});

test('a word that is longer than a caption is a caption of its own', () => {
  const captions = shortCaptionsIn([cue(0, 9000, `see ${'w'.repeat(300)} now`)], { startMs: 0, endMs: 9000 });

  expect(captions.map(({ text }) => text.length)).toEqual([3, 300, 3]);
});

test('a soundbite has at most a hundred captions', () => {
  const cues = Array.from({ length: 200 }, (_, i) => cue(i * 100, i * 100 + 100, 'a'));

  expect(captionsIn(cues, { startMs: 0, endMs: 60_000 })).toHaveLength(100);
});

/** A clip of 2 s before, one of 3 s at 10 s, and the passage from 20 to 25 s left out. */
const PARTS = [
  { heardMs: 2000, fromMs: 0, lengthMs: 10_000 },
  { heardMs: 15_000, fromMs: 10_000, lengthMs: 10_000 },
  { heardMs: 25_000, fromMs: 25_000, lengthMs: 10_000 },
];

test.each([
  ['after the first clip', [1000, 8000], [3000, 10_000]],
  ['around a clip', [5000, 12_000], [7000, 17_000]],
  ['that ends at a clip', [5000, 10_000], [7000, 12_000]],
  ['that begins at a clip', [10_000, 15_000], [15_000, 20_000]],
  ['whose end is left out', [15_000, 24_000], [20_000, 25_000]],
  ['that is left out', [21_000, 24_000], [0, 0]],
])('a passage %s is heard there', (_, [startMs, endMs], [from, to]) => {
  expect(heardSpan(PARTS, { startMs: startMs!, endMs: endMs! })).toEqual({ startMs: from, endMs: to });
});

test.each([
  ['one beside it is added', { startMs: 20_000, endMs: 25_000 }, { startMs: 10_000, endMs: 25_000 }],
  ['one before it is added', { startMs: 5000, endMs: 9000 }, { startMs: 5000, endMs: 20_000 }],
  ['one that is chosen begins another', { startMs: 12_000, endMs: 15_000 }, { startMs: 12_000, endMs: 15_000 }],
  ['one too far away begins another', { startMs: 130_000, endMs: 133_000 }, { startMs: 130_000, endMs: 133_000 }],
])('of the passages of a transcript, %s', (_, passage, expected) => {
  expect(choosePassage({ startMs: 10_000, endMs: 20_000 }, passage)).toEqual(expected);
});

test.each([
  ['Short and good.', 'Short and good.'],
  ['One two three four five six seven eight nine, ten', 'One two three four five six seven eight nine…'],
  ['', ''],
])('the title from %o is %o', (text, title) => {
  expect(titleFrom(text)).toBe(title);
});
