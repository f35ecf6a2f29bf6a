import { expect, test } from 'vitest';
import { createProduct } from '~/server/domain/products/schema';
import { fieldErrors } from '../../support/field-errors';

const podcast = {
  kind: 'podcast',
  name: 'Olas',
  description: 'Mar',
  category: '100',
  language: 'es',
  coverKey: 'a'.repeat(24),
};

test.each([
  ['valid input', {}, {}],
  ['no name', { name: '' }, { name: 'product.name_required' }],
  ['no description', { description: ' ' }, { description: 'product.description_required' }],
  ['no category', { category: '' }, { category: 'product.category_required' }],
  ['an unknown category', { category: 99 }, { category: 'product.category_unknown' }],
  ['a category by its name', { category: 'Arts' }, { category: 'product.category_unknown' }],
  ['an unknown language', { language: 'klingon' }, { language: 'product.language_unknown' }],
  ['an empty language', { language: '' }, { language: 'product.language_required' }],
  ['no language', { language: undefined }, { language: 'product.language_required' }],
  ['no cover', { coverKey: undefined }, { coverKey: 'product.cover_required' }],
  ['a space in the slug', { slug: 'las olas' }, { slug: 'field.slug_invalid' }],
  ['a price', { price: '4.99', annualPrice: '' }, {}],
  ['three decimals', { price: '4.999' }, { price: 'field.amount_invalid' }],
  ['a negative price', { price: '-5' }, { price: 'field.amount_invalid' }],
  ['six benefits', { benefits: 'a\nb\n\nc\nd\ne\nf' }, { benefits: 'product.too_many_benefits' }],
  ['a benefit of 81 characters', { benefits: ['a'.repeat(81)] }, { benefits: 'product.benefit_too_long' }],
  ['a benefit as long as a description', { benefits: 'a'.repeat(5000) }, { benefits: 'product.benefit_too_long' }],
  ['benefits that are no list', { benefits: { a: 1 } }, { benefits: 'field.invalid' }],
  ['an unknown plan type', { planType: 'weekly' }, { planType: 'field.invalid' }],
])('a product with %s', (_, change, errors) => {
  expect(fieldErrors(createProduct, { ...podcast, ...change })).toEqual(errors);
});

test('benefits are the lines of a form, or a list, without blank ones', () => {
  const read = (benefits: string | string[]) => createProduct.parse({ ...podcast, benefits }).benefits;

  expect(read(' Todo  el archivo\r\n\r\nAntes que nadie ')).toEqual(['Todo el archivo', 'Antes que nadie']);
  expect(read(['uno', ' ', 'dos'])).toEqual(['uno', 'dos']);
  expect(read('')).toEqual([]);
});
