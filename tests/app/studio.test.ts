import { expect, test } from 'vitest';
import { toParagraphs } from '~/app/components/rich-text';
import { isMatch } from '~/app/components/search-select-field';
import { episodeQuery } from '~/app/features/studio/episode/episode-query';
import { categoryChoices, categoryName } from '~/app/features/studio/product/category-choices';
import { withDoneMessage } from '~/app/lib/done-message';
import { formatDateTime, formatDuration, formatFileSize } from '~/app/lib/formats';
import { kindInPath } from '~/app/lib/paths';
import { percentChange } from '~/server/domain/statistics/rules';

test('a change is a whole percentage, and null without earlier plays', () => {
  expect([percentChange(150, 100), percentChange(50, 100), percentChange(5, 0)]).toEqual([50, -50, null]);
});

test.each([
  ['/podcasts/7', 'podcast'],
  ['/es/account/audio-series/7/episodes/create', 'audio_series'],
  ['/edit/podcasts/7', 'podcast'],
  ['/products/create', null],
])('the product kind in the path %s is %s', (address, kind) => {
  expect(kindInPath(address)).toBe(kind);
});

test('invalid values in a list’s URL are ignored', () => {
  const wild = new URLSearchParams({
    status: 'nonsense',
    ordering: 'drop table',
    page: '-3',
    search: ` ${'x'.repeat(200)} `,
  });

  expect(episodeQuery(wild, 'podcast')).toEqual({
    search: 'x'.repeat(100),
    status: undefined,
    ordering: '-release_date',
    page: 1,
  });
  expect(episodeQuery(new URLSearchParams('status=failed&page=2'), 'podcast')).toMatchObject({
    status: 'failed',
    page: 2,
  });
});

test('the studio lists a podcast from the newest episode, a series from its first part', () => {
  const none = new URLSearchParams();

  expect(episodeQuery(none, 'podcast').ordering).toBe('-release_date');
  expect(episodeQuery(none, 'audio_series').ordering).toBe('release_date');
  expect(episodeQuery(new URLSearchParams('ordering=name'), 'audio_series').ordering).toBe('name');
});

test('the done message is added to the next page’s URL', () => {
  expect(withDoneMessage('/products', 'x')).toBe('/products?done=x');
  expect(withDoneMessage('/products?page=2', 'x')).toBe('/products?page=2&done=x');
});

test('categories are sorted in the user’s language, with the parent first in its group', () => {
  const [first] = categoryChoices('es');

  expect(first?.group).toBe('Administración pública');
  expect(categoryChoices('en').find(({ group }) => group === 'Arts')?.items[0]).toEqual({
    value: '100',
    label: 'Arts',
  });
  expect(categoryName(101, 'es')).toBe('Arte › Libros');
});

test('sizes, durations and dates are formatted in the reader’s locale', () => {
  expect(formatFileSize(12_400_000, 'en-GB')).toBe('12.4 MB');
  expect(formatFileSize(12_400_000, 'es-ES')).toBe('12,4 MB');
  expect([formatDuration(40, 'en-GB'), formatDuration(200, 'en-US'), formatDuration(3900, 'en-US')]).toEqual([
    '40 secs',
    '3 min',
    '1 hr 5 min',
  ]);
  expect(formatDateTime(new Date('2026-07-01T10:00:00Z'), 'es-MX', 'America/Mexico_City', true)).toContain(
    '(America/Mexico City)',
  );
});

test('pasted text becomes paragraphs, with HTML escaped', () => {
  expect(toParagraphs('one\ntwo\n\n<script>three')).toBe('<p>one<br>two</p><p>&lt;script&gt;three</p>');
});

test('a choice is found by its words, without accents, and by its value', () => {
  const choice = { value: 'America/Bogota', label: '(GMT-5) Bogota, hora de Colombia' };

  expect(['bogotá', 'colombia -5', 'america bog', ''].map((search) => isMatch(choice, search))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(isMatch(choice, 'madrid')).toBe(false);
});
