import { expect, test } from 'vitest';
import { chooseLanguage, translate } from '~/app/lib/i18n';

test.each([
  ['nothing known', '/login', '', null, 'en'],
  ['the path', '/es/login', '', null, 'es'],
  ['the path before the cookie', '/en/login', '', 'language=es', 'en'],
  ['the cookie', '/login', '', 'token=x; language=es', 'es'],
  ['podcastName before the path', '/en/login', '?podcastName=es', null, 'es'],
  ['podcastName that is no language', '/es/p/x', '?podcastName=fr', null, 'es'],
  ['a cookie that is no language', '/', '', 'language=fr', 'en'],
  ['a cookie whose name only ends so', '/', '', 'mylanguage=es', 'en'],
  ['a segment that only begins so', '/especial', '', null, 'en'],
])('the language comes from %s', (_, pathname, search, cookie, language) => {
  const chosen = chooseLanguage({ pathname, search, cookie });

  expect(chosen).toBe(language);
});

test('a text takes its values, its plural form and its numbers', () => {
  const texts = { one: '{{a}} of {{b}}', plays_one: '{{count}} play', plays_other: '{{count, number}} plays' };

  expect(translate('en', texts, 'one', { a: 1, b: 2 })).toBe('1 of 2');
  expect(translate('en', texts, 'plays', { count: 1 })).toBe('1 play');
  expect(translate('en', texts, 'plays', { count: 1200 })).toBe('1,200 plays');
  expect(translate('en', texts, 'missing')).toBe('missing');
});
