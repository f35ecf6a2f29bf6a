import { describe, expect, it } from 'vitest';
import type { Cue } from '~/server/transcript/model';
import { shared, withText, wordsOf, wordTimes } from '~/server/transcript/words';

const cue: Cue = {
  startMs: 1_000,
  endMs: 2_000,
  speaker: null,
  text: 'one two three four',
  words: [
    [1_000, 1_200],
    [1_250, 1_400],
    [1_450, 1_700],
    [1_750, 2_000],
  ],
};

describe('withText', () => {
  it.each<[string, string, Cue['words']]>([
    ['the same', 'one two three four', cue.words],
    [
      'a corrected word',
      'one too three four',
      [
        [1_000, 1_200],
        [1_200, 1_450],
        [1_450, 1_700],
        [1_750, 2_000],
      ],
    ],
    ['a first word', 'a one two three four', [[1_000, 1_000], ...(cue.words ?? [])]],
    ['a last word less', 'one two three', cue.words?.slice(0, 3)],
    [
      'two words for one',
      'one two thr ee four',
      [
        [1_000, 1_200],
        [1_250, 1_400],
        [1_400, 1_610],
        [1_610, 1_750],
        [1_750, 2_000],
      ],
    ],
    [
      'all words',
      'ab cd',
      [
        [1_000, 1_500],
        [1_500, 2_000],
      ],
    ],
  ])('keeps the times of other words after %s', (_, text, words) => {
    const changed = withText(cue, text);
    expect(changed).toMatchObject({ text, startMs: 1_000, endMs: 2_000 });
    expect(changed.words).toEqual(words);
    expect(changed.words).toHaveLength(wordsOf(text).length);
  });

  it('times nothing that was not timed', () => {
    const { words, ...untimed } = cue;
    expect(withText(untimed, 'other')).toEqual({ ...untimed, text: 'other' });
  });
});

it('gives words of a cue without word times a part of its time', () => {
  const { words, ...rest } = { ...cue, startMs: 0, endMs: 1_500 };
  expect(wordTimes(rest)).toEqual(shared(['one', 'two', 'three', 'four'], 0, 1_500));
  expect(shared(['one', 'two', 'three', 'four'], 0, 1_500)).toEqual([
    [0, 300],
    [300, 600],
    [600, 1_100],
    [1_100, 1_500],
  ]);
  expect(shared([], 0, 10)).toEqual([]);
});
