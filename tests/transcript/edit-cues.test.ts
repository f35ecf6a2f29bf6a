import { expect, test } from 'vitest';
import {
  applyChanges,
  correctedCue,
  isInOrder,
  joinCues,
  placesOf,
  replaced,
  splitCue,
} from '~/server/transcript/edit-cues';
import type { Cue, WordTime } from '~/server/transcript/model';

const WORDS: WordTime[] = [
  [1000, 1200],
  [1300, 1900],
  [2000, 2600],
];
const CUE: Cue = { startMs: 1000, endMs: 3000, speaker: 'Ana', text: 'The blue sea', words: WORDS, confidence: 0.3 };
const untimed = (text: string): Cue => ({ startMs: null, endMs: null, speaker: null, text });

test('a passage is split between two words, and each keeps its exact time', () => {
  expect(splitCue(CUE, 4)).toEqual([
    { ...CUE, text: 'The', endMs: 1200, words: WORDS.slice(0, 1) },
    { ...CUE, text: 'blue sea', startMs: 1300, words: WORDS.slice(1) },
  ]);
});

test('a word that is split shares its time in proportion to its letters', () => {
  const [first, second] = splitCue(CUE, 5)!;

  expect(first).toMatchObject({ text: 'The b', endMs: 1450, words: [WORDS[0], [1300, 1450]] });
  expect(second).toMatchObject({ text: 'lue sea', startMs: 1450, words: [[1450, 1900], WORDS[2]] });
});

test('a passage without times of words is split in proportion, and stays without them', () => {
  const { words: _, ...cue } = CUE;

  const [first, second] = splitCue({ ...cue, text: 'abcd efgh' }, 4)!;

  expect([first.endMs, second.startMs, first.words, second.words]).toEqual([2000, 2000, undefined, undefined]);
  expect(splitCue(untimed('a b'), 1)).toEqual([untimed('a'), untimed('b')]);
});

test.each([0, 1, 3, 4])('no part of a split is empty (at %i)', (offset) => {
  expect(splitCue(untimed(' ab '), offset) === null).toBe(offset <= 1 || offset >= 3);
});

test('two parts that are joined again are the passage that was split', () => {
  const [first, second] = splitCue(CUE, 4)!;

  expect(joinCues(first, second)).toEqual(CUE);
});

test('a joined passage has the doubt of the less certain one, and the longer one refuses', () => {
  const sure = { ...CUE, confidence: 0.9 };

  expect(joinCues(sure, CUE)?.confidence).toBe(0.3);
  expect(joinCues(untimed('a'), untimed('b'))).toEqual(untimed('a b'));
  expect(joinCues(untimed('a'.repeat(19_999)), untimed('b'))).toBe(null);
});

test('a corrected passage needs no look any more, and keeps the times of the other words', () => {
  expect(correctedCue(CUE, 'The green sea')).toEqual({
    ...{ startMs: 1000, endMs: 3000, speaker: 'Ana', text: 'The green sea' },
    words: [WORDS[0], [1200, 2000], WORDS[2]],
  });
});

test('changes name places of the list before them', () => {
  const list = ['a', 'b', 'c', 'd'].map(untimed);
  const changes = [
    { at: 0, remove: 1, cues: [untimed('x'), untimed('y')] },
    { at: 2, remove: 2, cues: [] },
  ];

  expect(applyChanges(list, changes)?.map(({ text }) => text)).toEqual(['x', 'y', 'b']);
  expect(applyChanges(list, [...changes].reverse())).toBe(null);
  expect(applyChanges(list, [{ at: 3, remove: 2, cues: [] }])).toBe(null);
});

test.each<[string, [number | null, number | null][], boolean]>([
  [
    'in order',
    [
      [0, 5],
      [5, 9],
      [9, 9],
    ],
    true,
  ],
  [
    'overlapping speech',
    [
      [0, 5],
      [3, 4],
    ],
    true,
  ],
  [
    'some without times',
    [
      [0, 5],
      [null, null],
      [5, 6],
    ],
    true,
  ],
  [
    'a step back',
    [
      [4, 5],
      [3, 6],
    ],
    false,
  ],
  ['an end before its start', [[4, 3]], false],
  ['half a time', [[4, null]], false],
])('the order of times: %s', (_, times, expected) => {
  expect(isInOrder(times.map(([startMs, endMs]) => ({ ...untimed('a'), startMs, endMs })))).toBe(expected);
});

const search = (find: string, over = {}) => ({ find, matchesCase: false, wholeWords: false, ...over });

test.each(['.*', 'a+b', '(x', '[a-z]', '\\', '$&', '^', 'a|b', '{2}', '/', '-'])('%s is searched literally', (find) => {
  const text = `one ${find} two`;

  expect(placesOf(text, search(find))).toEqual([{ from: 4, to: 4 + find.length }]);
  expect(replaced(text, search(find), '$1$&')).toBe('one $1$& two');
});

test('case and whole words narrow a search, in any script', () => {
  expect(placesOf('Mar mar martes', search('mar'))).toHaveLength(3);
  expect(placesOf('Mar mar martes', search('mar', { matchesCase: true }))).toHaveLength(2);
  expect(placesOf('Mar mar martes', search('mar', { wholeWords: true }))).toHaveLength(2);
  expect(placesOf('añada ada', search('ada', { wholeWords: true }))).toEqual([{ from: 6, to: 9 }]);
  expect(placesOf('text', search(''))).toEqual([]);
});
