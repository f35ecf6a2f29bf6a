import { expect, test } from 'vitest';
import type { Cue } from '~/server/transcript/model';
import { quoteFinder } from '~/server/transcript/quotes';

const cue = (startMs: number | null, text: string): Cue => ({
  ...{ startMs, endMs: startMs === null ? null : startMs + 1000, text, speaker: null },
});
const NEAR = 30_000;
const CUES = [
  cue(0, 'Welcome, to the field.'),
  cue(60_000, 'We walk to the sea.'),
  cue(90_000, 'Welcome to the field!'),
];

test.each<[string, string, number | null, object | null]>([
  ['the nearest place', 'welcome to the field', 85_000, { startMs: 90_000, quote: 'Welcome to the field!' }],
  ['the first place without a time', 'WELCOME to the field', null, { startMs: 0, quote: 'Welcome, to the field.' }],
  ['a quote over two passages', 'the sea. Welcome', 61_000, { quote: 'the sea. Welcome' }],
  ['no place that is too far', 'we walk to', 100_000, null],
  ['no other words', 'we walk to the river', 60_000, null],
  ['nothing', '…', 0, null],
])('finds %s', (_, quote, atMs, found) => {
  const result = quoteFinder(CUES, NEAR)(quote, atMs);

  if (found === null) expect(result).toBeNull();
  else expect(result).toMatchObject(found);
});

test('finds words in a transcript without times', () => {
  expect(quoteFinder([cue(null, 'one two'), cue(null, 'three')], NEAR)('two three', 5)).toMatchObject({
    startMs: null,
    at: 1,
  });
});

test('a text of one repeated word costs no more than another', () => {
  const find = quoteFinder([cue(null, 'a '.repeat(100_000))], NEAR);
  const quote = `${'a '.repeat(200)}b`;
  // without a bound, each of them compares twenty million words
  for (let i = 0; i < 300; i += 1) expect(find(quote, null)).toBeNull();
});
