import { expect, test } from 'vitest';
import { passagesOfWords, type SpokenWord } from '~/server/adapters/transcriber/passages-of-words';

/** A word every half second. */
const said = (text: string, speaker?: string): SpokenWord[] =>
  text.split(' ').map((word, i) => ({
    ...{ text: word, startMs: 500 * i, endMs: 500 * i + 400 },
    ...(speaker && { speaker }),
  }));
const textsOf = (words: SpokenWord[]) => passagesOfWords(words).map(({ text }) => text);
const later = (words: SpokenWord[], byMs: number) =>
  words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs }));

test('a sentence is a passage with the times of its first and its last word', () => {
  const passages = passagesOfWords(said('Today we walk to the old lighthouse with Ana. She keeps its lamp.'));

  expect(passages.map(({ text, startMs, endMs, words }) => [text, startMs, endMs, words.length])).toEqual([
    ['Today we walk to the old lighthouse with Ana.', 0, 4400, 9],
    ['She keeps its lamp.', 4500, 6400, 4],
  ]);
  expect(passages[0]).not.toHaveProperty('speaker');
});

test.each([
  ['an abbreviation ends no sentence', said('Then Dr. Vega came in.'), ['Then Dr. Vega came in.']],
  ['a long pause', [...said('Hello there'), ...later(said('Again'), 4000)], ['Hello there', 'Again']],
  ['another voice', [...said('Yes?', 'A'), ...later(said('No.', 'B'), 500)], ['Yes?', 'No.']],
  ['no words', [], []],
])('passages are divided: %s', (_, words, expected) => {
  expect(textsOf(words)).toEqual(expected);
});

test('a sentence without an end is divided', () => {
  const texts = textsOf(said(Array(200).fill('word').join(' ')));

  expect(texts.length).toBeGreaterThan(1);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(300);
  expect(texts.join(' ')).toBe(Array(200).fill('word').join(' '));
});
