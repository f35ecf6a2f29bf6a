import { expect, test } from 'vitest';
import { slugFrom } from '~/server/base/addresses';
import { fields } from '~/server/base/fields';

test('text loses the characters that Postgres or XML rejects', () => {
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

test('a long run of combining marks is shortened, because normalizing it would block all requests', () => {
  const text = fields.text(200).safeParse(`a${'\u0316\u0301'.repeat(100_000)}`).data;

  expect(text).toHaveLength(30);
});
