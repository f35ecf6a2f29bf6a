import { expect, test } from 'vitest';
import { detectChosenLanguage, detectClientLanguage } from '~/server/http/language';

test.each([
  ['nothing, without other information', '/login', null, null],
  ['the path', '/es/login', null, 'es'],
  ['the path before the cookie', '/en/login', 'language=es', 'en'],
  ['the cookie', '/login', 'token=x; language=es', 'es'],
  ['podcastName before the path', '/en/login?podcastName=es', null, 'es'],
  ['the path, if podcastName is not a language', '/es/p/x?podcastName=fr', null, 'es'],
  ['the path, if podcastName only starts with a language', '/en/p/x?podcastName=es+una+historia', null, 'en'],
  ['nothing, if the cookie is not a language', '/', 'language=fr', null],
  ['nothing, if the cookie is not exactly a language', '/', 'language=es-MX', null],
  ['nothing, if only the end of the cookie name matches', '/', 'mylanguage=es', null],
  ['a single-fetch path', '/es.data', null, 'es'],
  ['nothing, if only the start of the segment matches', '/especial', null, null],
])("a page's chosen language comes from %s", async (_, path, cookie, language) => {
  const detected = await detectChosenLanguage(new URL(path, 'http://altavoz.localhost'), cookie);

  expect(detected).toBe(language);
});

test.each([
  ['the cookie, before the header', 'language=es', 'en', 'es'],
  ['the header, if the cookie is not a language', 'language=fr', 'es', 'es'],
  ['a regional variant', null, 'es-MX,en;q=0.5', 'es'],
  ['the best of ours, after a language that we do not offer', null, 'fr, es;q=0.8, en;q=0.5', 'es'],
  ['the highest quality, not the first position', null, 'en;q=0.5, ES', 'es'],
  ['nothing, if the client refuses the language', null, 'es;q=0', null],
  ['nothing, if only the start of the tag matches', null, 'est', null],
  ['nothing, if any language is fine', null, '*', null],
  ['nothing, without a header', null, undefined, null],
])("a client's language comes from %s", async (_, cookie, acceptLanguage, language) => {
  const detected = await detectClientLanguage({ cookie, acceptLanguage });

  expect(detected).toBe(language);
});
