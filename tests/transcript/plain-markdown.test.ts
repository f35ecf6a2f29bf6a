import { expect, test } from 'vitest';
import { parseTranscript } from '~/server/transcript/parse-transcript';
import { plainMarkdown } from '~/server/transcript/plain-markdown';

test.each([
  ['# The fridge\n## Part *two*', 'The fridge\nPart two'],
  ['**Ada:** Hello, _dear_ `listeners`.', 'Ada: Hello, dear listeners.'],
  ['A [link](https://a.example "title") and [another][1].', 'A link and another.'],
  ['![A cover](cover.jpg) Look.', ' Look.'],
  ['- one\n* two\n3. three', 'one\ntwo\nthree'],
  ['> quoted\n> > twice', 'quoted\ntwice'],
  ['Before\n\n---\n\nAfter', 'Before\n\n\n\nAfter'],
  ['---\ntitle: x\ndate: 2026\n---\nText', 'Text'],
  ['---\nWelcome to the show.\n---\nPart two', '\nWelcome to the show.\n\nPart two'],
  ['One <!-- cut\nthis --> two', 'One  two'],
  ['A\n```\ncode\n```\nB', 'A\nB'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ['a \\*star\\*', 'a *star*'],
  ['***all***', 'all'],
])('%j is read as %j', (markdown, plain) => {
  expect(plainMarkdown(markdown)).toBe(plain);
});

test('marks without an end take time in proportion to the text', () => {
  for (const mark of ['*', '_', '`', '[', '![a](', '<!--', '> ', '- ', '~~', '---\n']) {
    const text = mark.repeat(200_000);

    expect(plainMarkdown(text).length).toBeLessThanOrEqual(text.length);
  }
});

test('speakers are found in a script in Markdown, only if it is said to be one', () => {
  const script = Buffer.from('**Ada:** Hello.\n\n**Luis:** Good night.\n\n**Ada:** Sleep.\n\n**Luis:** Well.\n');

  const cues = (isMarkdown: boolean) => {
    const parsed = parseTranscript(script, { isMarkdown });
    return parsed.ok ? parsed.cues.map(({ speaker, text }) => [speaker, text]) : parsed;
  };

  expect(cues(true)).toEqual([
    ['Ada', 'Hello.'],
    ['Luis', 'Good night.'],
    ['Ada', 'Sleep.'],
    ['Luis', 'Well.'],
  ]);
  expect(cues(false)).not.toEqual(cues(true));
});
