import { expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { logIn, signUp } from '~/server/domain/accounts/schema';
import { createEpisode, releaseChoice } from '~/server/domain/episodes/schema';
import { createProduct } from '~/server/domain/products/schema';
import { fields, slugFrom } from '~/server/fields';
import { describeProblem } from '~/server/problems';

/** The message keys of a refusal, by field. */
function refusals(schema: ZodType, input: unknown): Record<string, string> {
  const result = schema.safeParse(input);
  if (result.success) return {};
  const { fields: refused } = describeProblem(result.error);
  return Object.fromEntries(Object.entries(refused).map(([field, sentences]) => [field, sentences[0]!.key]));
}

const person = { name: 'Ana', email: 'ana@mail.example', password: '12345678', country: 'ES', terms: 'on' };

test.each([
  ['nothing wrong', {}, {}],
  ['no name', { name: '  ' }, { name: 'account.name_required' }],
  ['no address', { email: '' }, { email: 'field.email_required' }],
  ['no valid address', { email: 'ana@' }, { email: 'field.email_invalid' }],
  ['an alias', { email: 'ana+podcast@mail.example' }, { email: 'account.email_local_part' }],
  ['an underscore', { email: 'ana_b@mail.example' }, { email: 'account.email_local_part' }],
  ['seven characters', { password: '1234567' }, { password: 'account.password_short' }],
  ['two passwords', { passwordConfirmation: '12345679' }, { passwordConfirmation: 'account.passwords_differ' }],
  ['no country', { country: undefined }, { country: 'account.country_required' }],
  ['a country that is none', { country: 'QQ' }, { country: 'field.invalid' }],
  ['terms not accepted', { terms: undefined }, { terms: 'account.terms_required' }],
  ['terms refused', { terms: 'false' }, { terms: 'account.terms_required' }],
])('registering with %s', (_, change, refused) => {
  expect(refusals(signUp, { ...person, ...change })).toEqual(refused);
});

test('addresses are folded to lower case', () => {
  expect(logIn.parse({ email: ' Ana@Mail.Example ', password: 'x' }).email).toBe('ana@mail.example');
});

const podcast = {
  kind: 'podcast',
  name: 'Olas',
  description: 'Mar',
  category: '100',
  language: 'es',
  coverKey: 'a'.repeat(24),
};

test.each([
  ['nothing wrong', {}, {}],
  ['no name', { name: '' }, { name: 'product.name_required' }],
  ['no description', { description: ' ' }, { description: 'product.description_required' }],
  ['no category', { category: '' }, { category: 'product.category_required' }],
  ['a category that is none', { category: 99 }, { category: 'product.category_required' }],
  ['no language', { language: undefined }, { language: 'product.language_required' }],
  ['no cover', { coverKey: undefined }, { coverKey: 'product.cover_required' }],
  ['a slug with a space', { slug: 'las olas' }, { slug: 'field.slug_invalid' }],
  ['a price', { price: '4.99' }, { price: 'product.only_free' }],
])('a product with %s', (_, change, refused) => {
  expect(refusals(createProduct, { ...podcast, ...change })).toEqual(refused);
});

test.each([
  ['nothing wrong', {}, {}],
  ['no name', { name: '' }, { name: 'episode.name_required' }],
  ['no file', { fileKey: '' }, { fileKey: 'episode.file_required' }],
  ['no description', { description: '' }, { description: 'episode.description_required' }],
  ['a type that is none', { type: 'secret' }, { type: 'episode.type_required' }],
  ['a date that is none', { releaseDate: 'tomorrow' }, { releaseDate: 'episode.date_invalid' }],
])('an episode with %s', (_, change, refused) => {
  const episode = { kind: 'podcast', productId: 1, name: 'Uno', description: 'x', fileKey: 'b'.repeat(24) };

  expect(refusals(createEpisode, { ...episode, ...change })).toEqual(refused);
});

test('a release is chosen in the zone that it is meant in', () => {
  const later = { publish: 'later', releaseLocal: '2026-12-24T20:00', timeZone: 'Europe/Madrid' };

  expect(releaseChoice.parse(later)?.toISOString()).toBe('2026-12-24T19:00:00.000Z');
  expect(releaseChoice.parse({ publish: 'now', releaseLocal: '2026-12-24T20:00' })).toBeNull();
  expect(refusals(releaseChoice, { publish: 'later', releaseLocal: '' })).toEqual({
    releaseDate: 'episode.date_invalid',
  });
});

test('text keeps no character that Postgres or XML refuses', () => {
  expect(fields.line(50).parse('a\u0000b\u0007c \ud800 d')).toBe('abc \ufffd d');
  expect(fields.text(50).parse('one\ntwo\u000b')).toBe('one\ntwo');
});

test.each([
  ['Él y ella: 2ª parte', 'el-y-ella-2a-parte'],
  ['  ¡Hola!  ', 'hola'],
  ['日本語', ''],
  ['a'.repeat(70), 'a'.repeat(60)],
])('the slug of %j is %j', (name, slug) => {
  expect(slugFrom(name, 60)).toBe(slug);
});
