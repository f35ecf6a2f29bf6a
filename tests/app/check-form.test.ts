import { expect, test } from 'vitest';
import { releaseErrors } from '~/app/features/studio/episode/episode-values';
import { checkForm, toInput } from '~/app/lib/check-form';
import type { Translate } from '~/locales/translate';
import { claimDomain } from '~/server/domain/creators/schema';
import { createEpisode, updateEpisode } from '~/server/domain/episodes/schema';
import { createProduct } from '~/server/domain/products/schema';

const keyed: Translate = (key, values) => (values?.max ? `${key} ${values.max}` : key);
const NEW = ['kind', 'productId', 'name', 'description'];
const episode = { kind: 'podcast', productId: '1', name: 'A name', description: 'Words', fileKey: 'a'.repeat(32) };

test('a form that its procedure accepts has no errors', () => {
  expect(checkForm(createEpisode, episode, NEW, keyed)).toEqual({});
});

test('every blank required field has its own error message', () => {
  const blank = { kind: 'podcast', productId: '1', name: ' ', description: '', fileKey: '' };

  expect(checkForm(createEpisode, blank, NEW, keyed)).toEqual({
    name: 'episode.name_required',
    description: 'episode.description_required',
    fileKey: 'episode.file_required',
  });
});

test('an error about a limit contains the number', () => {
  const faults = checkForm(claimDomain, { name: 'x'.repeat(21), domain: 'abc' }, ['name', 'domain'], keyed);

  expect(faults).toEqual({ name: 'field.too_long 20' });
});

test('a reserved domain and a malformed slug fail before submission', () => {
  expect(checkForm(claimDomain, { name: 'Ana', domain: 'app' }, ['name', 'domain'], keyed)).toEqual({
    domain: 'creator.domain_reserved',
  });
  expect(checkForm(createProduct, { slug: 'No spaces!' }, [], keyed).slug).toBe('field.slug_invalid');
});

test('a blank number sets null, a blank text clears it, and a blank slug or file is omitted', () => {
  const values = { season: '', privateNote: '', slug: '', fileKey: '', coverKey: '', name: 'New' };

  expect(toInput(updateEpisode, values, ['name'])).toEqual({ season: null, privateNote: '', name: 'New' });
});

test('fields that the procedure does not know are omitted', () => {
  expect(toInput(updateEpisode, { name: 'New', publish: 'keep', timeZone: 'UTC' }, ['name'])).toEqual({ name: 'New' });
});

test.each([
  ['now', '', {}],
  ['keep', '2001-01-01T10:00', {}],
  ['later', '', { releaseDate: 'episode.date_invalid' }],
  ['later', 'tomorrow', { releaseDate: 'episode.date_invalid' }],
  ['later', '2026-11-21T11:54', { releaseDate: 'episode.publish_time_in_past' }],
  ['later', '2026-11-21T11:56', {}],
  ['later', '2026-12-24T18:00', {}],
])('publishing %s at “%s” (Madrid, noon) returns %o', (publish, releaseLocal, expected) => {
  const noonInMadrid = Date.UTC(2026, 10, 21, 11, 0);

  expect(releaseErrors({ publish, releaseLocal, timeZone: 'Europe/Madrid' }, keyed, noonInMadrid)).toEqual(expected);
});
