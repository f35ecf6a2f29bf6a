import { expect, test } from 'vitest';
import { chooseLanguage } from '~/server/http/language';

test.each([
  ['nothing known', '/login', '', null, 'en'],
  ['the path', '/es/login', '', null, 'es'],
  ['the path before the cookie', '/en/login', '', 'language=es', 'en'],
  ['the cookie', '/login', '', 'token=x; language=es', 'es'],
  ['podcastName before the path', '/en/login', '?podcastName=es', null, 'es'],
  ['podcastName that is no language', '/es/p/x', '?podcastName=fr', null, 'es'],
  ['a cookie that is no language', '/', '', 'language=fr', 'en'],
  ['a cookie whose name only ends so', '/', '', 'mylanguage=es', 'en'],
  ['the path that single fetch asks for', '/es.data', '', null, 'es'],
  ['a segment that only begins so', '/especial', '', null, 'en'],
])('the language comes from %s', (_, pathname, search, cookie, language) => {
  const chosen = chooseLanguage({ pathname, search, cookie });

  expect(chosen).toBe(language);
});
