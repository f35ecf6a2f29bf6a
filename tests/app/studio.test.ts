import { expect, test } from 'vitest';
import { isBlankHtml, paragraphsOf } from '~/app/components/rich-text';
import { episodeQuery } from '~/app/features/episode/episode-query';
import { growth, nextStep } from '~/app/features/home/next-step';
import { categoryChoices, categoryName } from '~/app/features/product/category-choices';
import { kindOfAddress } from '~/app/features/product/kind-of-address';
import { withDone } from '~/app/features/studio/done';
import { clockTime, fileSize, lasting, moment } from '~/app/lib/formats';

const podcast = { id: 1, kind: 'podcast' as const, episodesCount: 0 };

test.each([
  [{ isEmailVerified: false, hasPage: false, products: [], plays: 0 }, 'verify'],
  [{ isEmailVerified: true, hasPage: false, products: [], plays: 0 }, 'claim'],
  [{ isEmailVerified: true, hasPage: true, products: [], plays: 0 }, 'product'],
  [{ isEmailVerified: true, hasPage: true, products: [podcast], plays: 0 }, 'episode'],
  [{ isEmailVerified: true, hasPage: true, products: [{ ...podcast, episodesCount: 1 }], plays: 0 }, 'share'],
  [{ isEmailVerified: true, hasPage: true, products: [{ ...podcast, episodesCount: 1 }], plays: 1 }, null],
])('a creator who stands at %o does %s next', (standing, step) => {
  expect(nextStep(standing)).toBe(step);
});

test('growth is told in whole percent, and not against nothing', () => {
  expect([growth(150, 100), growth(50, 100), growth(5, 0)]).toEqual([50, -50, null]);
});

test.each([
  ['/podcasts/7', 'podcast'],
  ['/es/account/audio-series/7/episodes/create', 'audio_series'],
  ['/edit/podcasts/7', 'podcast'],
  ['/products/create', null],
])('the address %s is about %s', (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind);
});

test('a list’s address is read with care', () => {
  const wild = new URLSearchParams({
    status: 'nonsense',
    ordering: 'drop table',
    page: '-3',
    search: ` ${'x'.repeat(200)} `,
  });

  expect(episodeQuery(wild)).toEqual({
    search: 'x'.repeat(100),
    status: undefined,
    ordering: '-release_date',
    page: 1,
  });
  expect(episodeQuery(new URLSearchParams('status=failed&page=2'))).toMatchObject({ status: 'failed', page: 2 });
});

test('what was done is told in the address of the next page', () => {
  expect(withDone('/products', 'x')).toBe('/products?done=x');
  expect(withDone('/products?page=2', 'x')).toBe('/products?page=2&done=x');
});

test('categories are sorted in the reader’s language, upper ones first in their group', () => {
  const [first] = categoryChoices('es');

  expect(first?.group).toBe('Administración pública');
  expect(categoryChoices('en').find(({ group }) => group === 'Arts')?.items[0]).toEqual({
    value: '100',
    label: 'Arts',
  });
  expect(categoryName(101, 'es')).toBe('Arte › Libros');
});

test('sizes, lengths and moments are written as people of the language do', () => {
  expect(fileSize(12_400_000, 'en')).toBe('12.4 MB');
  expect(fileSize(12_400_000, 'es')).toBe('12,4 MB');
  expect([lasting(40, 'en'), lasting(200, 'en'), lasting(3900, 'en')]).toEqual(['40 sec', '3 min', '1 hr 5 min']);
  expect([clockTime(65), clockTime(3725)]).toEqual(['1:05', '1:02:05']);
  expect(moment(new Date('2026-07-01T10:00:00Z'), 'es', 'America/Mexico_City', true)).toContain(
    '(America/Mexico City)',
  );
});

test('pasted text becomes paragraphs and can’t become anything else', () => {
  expect(paragraphsOf('one\ntwo\n\n<script>three')).toBe('<p>one<br>two</p><p>&lt;script&gt;three</p>');
  expect(isBlankHtml('<p><br></p>&nbsp;')).toBe(true);
  expect(isBlankHtml('<p>a</p>')).toBe(false);
});
