import { expect, test } from 'vitest';
import { parseTranscript } from '~/server/transcript/parse-transcript';
import { writeTranscript } from '~/server/transcript/write-transcript';

const cue = (text: string) => ({ startMs: 0, endMs: 1000, speaker: null, text });
const linesOf = (text: string) =>
  writeTranscript([cue(text)], 'vtt')!
    .trimEnd()
    .split('\n')
    .slice(3);

test('a passage in WebVTT has lines of at most 65 characters, and keeps its words', () => {
  const text = Array.from({ length: 40 }, (_, index) => 'word'.repeat(1 + (index % 4))).join(' ');

  const lines = linesOf(text);

  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(65);
  expect(lines.join(' ')).toBe(text);
});

test.each([
  ['a longest line', `${'a'.repeat(32)} ${'b'.repeat(32)}`, 1],
  ['one character more', `${'a'.repeat(33)} ${'b'.repeat(32)}`, 2],
  ['a word that is too long', 'x'.repeat(200), 1],
  ['two lines', 'One\nTwo', 2],
])('%s', (_, text, count) => {
  expect(linesOf(text)).toHaveLength(count);
  expect(linesOf(text).join('\n').replaceAll(/\s/g, ' ')).toBe(text.replaceAll(/\s/g, ' '));
});

test('an HTML document escapes its title, its language and its words', () => {
  const hostile = '"><script>alert(1)</script>';
  const cues = [{ startMs: null, endMs: null, speaker: hostile, text: hostile }];

  const html = writeTranscript(cues, 'html', { title: hostile, language: hostile })!;

  expect(html).not.toContain('<script');
  expect(html.match(/&lt;script/g)).toHaveLength(4);
});

test('what WebVTT says is read again', () => {
  const cues = [{ ...cue('a < b & "c"'), speaker: 'Ana' }];

  expect(parseTranscript(Buffer.from(writeTranscript(cues, 'vtt')!))).toMatchObject({ cues });
});
