import { expect, test } from 'vitest';
import { wordsOfTokens } from '~/server/recognition/words-of-tokens';

const word = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs });

test.each([
  ['marks of spaces', 'Hello there.', [' Hel', 'lo', ' there', '.'], [0.1, 0.3, 0.8, 1.2]],
  [
    'marks of SentencePiece, one of them alone',
    'Hello there.',
    ['▁', 'Hel', 'lo', '▁there', '.'],
    [0.1, 0.1, 0.3, 0.8, 1.2],
  ],
  ['parts that continue', 'Hello there.', ['Hel@@', 'lo', 'there@@', '.'], [0.1, 0.3, 0.8, 1.2]],
])('words begin with their first token: %s', (_, text, tokens, timestamps) => {
  const words = wordsOfTokens({ text, tokens, timestamps }, 10_000);

  expect(words).toEqual([word('Hello', 10_100, 10_600), word('there.', 10_800, 11_500)]);
});

test('a word ends where the model says, and before the next one begins', () => {
  const heard = { text: 'a b', tokens: [' a', ' b'], timestamps: [0, 0.2], durations: [0.5, 0.25] };

  expect(wordsOfTokens(heard, 0)).toEqual([word('a', 0, 200), word('b', 200, 450)]);
});

test('the confidence of a word is the mean of its tokens', () => {
  const logs = [Math.log(0.5), Math.log(0.5), Math.log(0.9)];
  const heard = { text: 'ab c', tokens: [' a', 'b', ' c'], timestamps: [0, 0.1, 0.2], ys_log_probs: logs };

  expect(wordsOfTokens(heard, 0).map(({ confidence }) => confidence?.toFixed(2))).toEqual(['0.50', '0.90']);
});

test.each([
  ['no times', { text: 'a b', tokens: [' a', ' b'], timestamps: [] }],
  ['no tokens', { text: 'a b' }],
  ['tokens of another text', { text: 'a b c', tokens: [' a', ' b'], timestamps: [0, 1] }],
  ['times that are none', { text: 'a', tokens: [' a'], timestamps: [Number.NaN] }],
  ['no words', { text: '', tokens: [' '], timestamps: [0] }],
])('%s: no times of words', (_, heard) => {
  expect(wordsOfTokens(heard, 0)).toEqual([]);
});
