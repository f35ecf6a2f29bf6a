import { expect, test } from 'vitest';
import { PAGE_FIELDS } from '~/server/domain/creators/rules';
import { updateCreator } from '~/server/domain/creators/schema';

test('every field of a creator page is on exactly one page of its editor', () => {
  const placed = Object.values(PAGE_FIELDS).flat();

  expect([...placed].sort()).toEqual(Object.keys(updateCreator.shape).sort());
});
