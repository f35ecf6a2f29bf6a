import { expect, test } from 'vitest';
import { addressesOf, findProblems } from '~/server/edition/find-problems';
import type { Edition } from '~/server/edition/model';
import { PICTURE, sampleEdition } from './sample-edition';

test('a complete edition has no problems', async () => {
  expect(findProblems(await sampleEdition())).toEqual([]);
});

test.each([
  ['', ['no_subject']],
  ['ÚLTIMA HORA', ['capitals']],
  ['El CD', []],
  ['{{name|AMIGA}}, hola', []],
  ['海は広い', []],
  ['¡Ya! ¡Ya!', []],
  ['Ya!!!', ['exclamations']],
  ['Re: tu carta', ['false_reply']],
  ['Regata', []],
  ['a'.repeat(151), ['long_subject']],
])('subject “%s”: %j', async (title, codes) => {
  expect(findProblems(await sampleEdition({ title })).map(({ code }) => code)).toEqual(codes);
});

test.each([
  ['nothing but the line', '<hr data-free-end>', { code: 'no_content', severity: 'error' }],
  ['a picture without a text', `<img src="${PICTURE}">`, { code: 'no_alt', severity: 'warning', of: PICTURE }],
  [
    'a button without an address',
    '<p data-button="custom"><a>Leer</a></p>',
    { code: 'no_address', severity: 'error', of: 'Leer' },
  ],
  [
    'a sample address',
    '<p><a href="https://www.example.com/x">a</a></p>',
    { code: 'sample_address', severity: 'warning', of: 'https://www.example.com/x' },
  ],
  [
    'a broken address',
    '<p><a href="https://a b">a</a><a href="https://%">b</a></p>',
    { code: 'no_address', severity: 'error', of: 'https://%' },
  ],
  ['a missing episode', '<div data-episode="8"></div>', { code: 'no_episode', severity: 'error', of: '8' }],
  ['donations that nobody accepts', '<p data-button="donate"></p>', { code: 'no_donations', severity: 'warning' }],
  ['a name without a fallback', '<p>{{name}}</p>', { code: 'no_fallback', severity: 'warning', of: '{{name}}' }],
  [
    'an unknown field',
    '<p>{{nombre}} {{name|you}}</p>',
    { code: 'unknown_field', severity: 'warning', of: '{{nombre}}' },
  ],
])('%s is found', async (_, content, problem) => {
  expect(findProblems(await sampleEdition({ content }))).toEqual([problem]);
});

test('a missing footer is an error', async () => {
  const sample = await sampleEdition();
  const edition: Edition = { ...sample, publication: { ...sample.publication, footer: ' ' } };

  expect(findProblems(edition)).toEqual([{ code: 'no_footer', severity: 'error' }]);
});

test.each([
  [90, 'large', 'warning'],
  [102, 'too_large', 'error'],
])('%d KB of text are %s', async (kilobytes, code, severity) => {
  const content = `<p>${'é'.repeat(kilobytes * 512)}</p>`;

  expect(findProblems(await sampleEdition({ content }))).toEqual([{ code, severity, of: expect.any(String) }]);
});

test('the addresses of links and buttons can be checked, each once', async () => {
  const { blocks } = await sampleEdition();

  expect(addressesOf([...blocks, ...blocks])).toEqual(['https://mar.dev/?a=1&b=2', 'https://mar.dev/leer']);
});
