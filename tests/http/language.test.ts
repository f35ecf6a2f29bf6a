import { expect, test } from 'vitest';
import { chooseLanguage } from '~/server/http/language';

test.each([
  ['the default, without other information', '/login', '', null, 'en'],
  ['the path', '/es/login', '', null, 'es'],
  ['the path before the cookie', '/en/login', '', 'language=es', 'en'],
  ['the cookie', '/login', '', 'token=x; language=es', 'es'],
  ['podcastName before the path', '/en/login', '?podcastName=es', null, 'es'],
  ['the path, if podcastName is not a language', '/es/p/x', '?podcastName=fr', null, 'es'],
  ['the default, if the cookie is not a language', '/', '', 'language=fr', 'en'],
  ['the default, if only the end of the cookie name matches', '/', '', 'mylanguage=es', 'en'],
  ['a single-fetch path', '/es.data', '', null, 'es'],
  ['the default, if only the start of the segment matches', '/especial', '', null, 'en'],
])('the language comes from %s', (_, pathname, search, cookie, language) => {
  const chosen = chooseLanguage({ pathname, search, cookie });

  expect(chosen).toBe(language);
});
