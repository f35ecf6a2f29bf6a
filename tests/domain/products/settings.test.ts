import { expect, test } from 'vitest';
import { SETTINGS, SETTINGS_PARTS, settingsPartOf } from '~/server/domain/products/rules';
import { settingsOf, updateProduct } from '~/server/domain/products/schema';

test('every field of a show is on exactly one page of its settings', () => {
  const fields = SETTINGS_PARTS.flatMap((part) => [...SETTINGS[part]]);

  expect([...fields, 'id', 'kind'].sort()).toEqual(Object.keys(updateProduct.shape).sort());
  expect(settingsPartOf('ownerEmail')).toBe('feed');
});

test.each(SETTINGS_PARTS)('the schema of the page %s refuses the fields of other pages', (part) => {
  const other = SETTINGS_PARTS.find((name) => name !== part)!;
  const ref = { id: 1, kind: 'podcast' };

  expect(settingsOf(part).safeParse(ref).success).toBe(true);
  expect(settingsOf(part).safeParse({ ...ref, [SETTINGS[other][0]]: '' }).success).toBe(false);
});
