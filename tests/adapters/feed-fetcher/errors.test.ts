import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import '~/server/adapters/feed-fetcher/errors';
import { definedErrors } from '~/server/base/errors';
import { translate } from '~/server/base/messages';

const codes = [...definedErrors.keys()].filter((code) => code.startsWith('fetch.'));
const values = { host: 'feeds.example', port: 22, status: 404, seconds: 60, url: 'https://a.example/' };

test.each(codes)('%s has a different message in each language', (code) => {
  const [english, spanish] = LANGUAGES.map((language) => translate(language, `errors:${code}`, values));

  expect(english).toMatch(/^\S.*[.]$/);
  expect(spanish).toMatch(/^\S.*[.]$/);
  expect(new Set([code, `errors:${code}`, english, spanish]).size).toBe(4);
  expect(`${english}${spanish}`).not.toMatch(/\{\{|\}\}/);
});

test('every fetch error has a message', () => {
  expect(codes).toHaveLength(19);
});
