import { expect, test } from 'vitest';
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
