import { expect, test } from 'vitest';
import { cuesOfPiece } from '~/server/transcript/cues-of-piece';
import { parseTranscript } from '~/server/transcript/parse-transcript';
import { cpuCost } from '../support/costs';

test.each([
  ['open tags', '<v '],
  ['half arrows', '1:00.0 --> '],
  ['digits', '1'],
  ['names', 'Aa '],
  ['entities', '&amp'],
  ['white space', ' \t'],
  ['braces', '{\\a'],
  ['paragraphs', 'a\n\n'],
  ['combining marks', '\u0316\u0301'],
])('2 MB of %s block no other request', async (_, piece) => {
  const filling = piece.repeat(1_900_000 / Buffer.byteLength(piece));
  const webVtt = `WEBVTT\n\n00:00.000 --> 00:01.000\n${filling}`;
  const subRip = `1\n00:00:00,000 --> 00:00:01,000\n${filling}`;

  for (const text of [webVtt, subRip, filling])
    expect(await cpuCost(() => parseTranscript(Buffer.from(text)))).toBeLessThan(50);
});

test('a piece in which an engine timed every other word blocks no other request', async () => {
  const text = 'b a '.repeat(5000).trim();
  const words = Array.from({ length: 5000 }, (_, i) => ({ text: 'a', startMs: i * 100, endMs: i * 100 + 50 }));
  const passages = Array.from({ length: 20 }, () => ({ startMs: 0, endMs: 500_000, text, words }));
  const piece = { offsetMs: 0, fromMs: 0, toMs: 500_000 };

  // looking for the next known word from the start took 30 times as long
  expect(await cpuCost(() => cuesOfPiece({ passages }, piece))).toBeLessThan(50);
});
