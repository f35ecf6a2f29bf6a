import { expect, test } from 'vitest';
import { pathOnThisHost, pathsIn, safeNext } from '~/app/lib/paths';
import { pathInLanguage, prefixOf, publicBaseOf, publicPathsIn } from '~/app/lib/site-paths';

test('paths keep the language prefix', () => {
  const paths = pathsIn('/es');

  expect(paths.home).toBe('/es');
  expect(paths.product({ id: 7, kind: 'audio_series' })).toBe('/es/audio-series/7');
  expect(pathsIn('').home).toBe('/');
  expect(pathsIn('').login('/a?b=c')).toBe('/login?next=%2Fa%3Fb%3Dc');
});

test.each([
  ['', '', '/', '/p/a/b'],
  ['/es', '', '/es', '/es/p/a/b'],
  ['', '/@ada', '/@ada', '/@ada/p/a/b'],
  ['/en', '/@ada', '/en/@ada', '/en/@ada/p/a/b'],
] as const)('public paths for prefix "%s" and base "%s"', (prefix, base, creator, episode) => {
  const paths = publicPathsIn(prefix, base);

  expect(paths.creator).toBe(creator);
  expect(paths.episode('a', 'b')).toBe(episode);
});

test.each([
  ['/es/@ada/p/x', '/es', '/@ada', '/en/@ada/p/x'],
  ['/@ada', '', '/@ada', '/en/@ada'],
  ['/es', '/es', '', '/en'],
  ['/', '', '', '/en'],
  ['/especial', '', '', '/en/especial'],
])('%s has its prefix, its base and an English path', (path, prefix, base, english) => {
  expect(prefixOf(path)).toBe(prefix);
  expect(publicBaseOf(path)).toBe(base);
  expect(pathInLanguage(path, 'en')).toBe(english);
});

const own = { appUrl: 'https://altavoz.example', publicRoot: 'altavoz.example' };

test.each([
  ['/dashboard?a=1', '/dashboard?a=1'],
  ['https://ada.altavoz.example/p/x', 'https://ada.altavoz.example/p/x'],
  ['https://altavoz.example/x', 'https://altavoz.example/x'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/\t/evil.example', null],
  ['https://evil.example/altavoz.example', null],
  ['https://altavoz.example.evil.example/', null],
  ['https://evilaltavoz.example/', null],
  ['http://ada.altavoz.example/', null],
  ['javascript:alert(1)', null],
  ['', null],
])('after login, next=%s redirects to %s', (next, safe) => {
  expect(safeNext(next, own)).toBe(safe);
});

test.each([
  ['/p/ruido?page=2', '/p/ruido?page=2'],
  ['/p/él', '/p/%C3%A9l'],
  ['/\t/evil.example', null],
  ['/\n/evil.example', null],
  ['//evil.example', null],
  ['https://altavoz.example/', null],
  [null, null],
])('the page that was not loaded without a connection, %j, is linked as %j', (text, path) => {
  expect(pathOnThisHost(text)).toBe(path);
});
