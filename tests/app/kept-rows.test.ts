import { expect, test } from 'vitest';
import { keptRows } from '~/app/lib/kept-rows.server';
import { CACHE_LIMITS } from '~/server/limits/http';

const pageWith = (rows: string) =>
  Buffer.from(`<html><p>€</p><ol class="episodes">${rows}</ol><ol><li>other</li></ol>`);

/** Renders a page whose list depends on `key`; null if its rows were copied. */
function render(key: string, page: Buffer): string | null {
  const rows = keptRows();
  const found = rows.find(key);
  rows.keep(page);
  return found;
}

test('the rows of a list are known from the second page on, by all that they depend on', () => {
  expect(render('es one', pageWith('<li>ñandú 🎧</li>'))).toBeNull();

  expect(render('es one', pageWith('<li>copied</li>'))).toBe('<li>ñandú 🎧</li>');
  expect(render('en one', pageWith(''))).toBeNull();
});

test('a page without a list, or with an error instead of it, keeps nothing', () => {
  render('missing', Buffer.from('<html>no list</html>'));
  keptRows().keep(pageWith('<li>not asked for</li>'));

  expect(render('missing', pageWith('<li>late</li>'))).toBeNull();
});

test('lists above the limit are not kept', () => {
  render('large', pageWith('x'.repeat(CACHE_LIMITS.rowsBytes)));

  expect(render('large', pageWith(''))).toBeNull();
});
