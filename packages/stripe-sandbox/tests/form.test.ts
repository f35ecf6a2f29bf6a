import { expect, test } from 'vitest';
import { canonicalForm, decodeForm, listOf } from '../src/wire/form';

test.each([
  ['a=1&b=', { a: '1', b: '' }],
  ['metadata[order]=17&metadata[a%20b]=c%26d', { metadata: { order: '17', 'a b': 'c&d' } }],
  ['metadata[17]=a', { metadata: { 17: 'a' } }],
  ['expand[]=x&expand[]=y', { expand: { 0: 'x', 1: 'y' } }],
  [
    'line_items[0][price_data][recurring][interval]=month&line_items[0][quantity]=2',
    { line_items: { 0: { price_data: { recurring: { interval: 'month' } }, quantity: '2' } } },
  ],
  ['discounts=', { discounts: '' }],
  ['name=a+b%2Bc', { name: 'a b+c' }],
  ['', {}],
])('%s is decoded like Stripe’s forms', (text, expected) => {
  expect(decodeForm(text)).toEqual(expected);
});

test.each([
  ['a[1]=b&a[0]=a', ['a', 'b']],
  ['a[10]=k&a[9]=j', ['j', 'k']],
  ['a[]=x&a[]=y', ['x', 'y']],
  ['a[x]=1', null],
  ['a=1', null],
  ['b=1', null],
])('%s as a list: %j', (text, expected) => {
  expect(listOf(decodeForm(text).a)).toEqual(expected);
});

test.each([
  ['__proto__[polluted]=yes'],
  ['constructor[prototype][polluted]=yes'],
  ['a[__proto__][polluted]=yes'],
  ['metadata[hasOwnProperty]=x'],
])('%s does not pollute prototypes', (text) => {
  decodeForm(text);

  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.hasOwn({ a: 1 }, 'a')).toBe(true);
});

test('names with too many levels are ignored', () => {
  expect(decodeForm(`a${'[x]'.repeat(40)}=1&b=2`)).toEqual({ b: '2' });
});

test('the canonical form ignores order but not values', () => {
  const [one, other, third] = ['a=1&m[x]=1&m[y]=2', 'm[y]=2&a=1&m[x]=1', 'a=1&m[x]=1&m[y]=3'].map(decodeForm);

  expect(canonicalForm(one)).toBe(canonicalForm(other));
  expect(canonicalForm(one)).not.toBe(canonicalForm(third));
});
