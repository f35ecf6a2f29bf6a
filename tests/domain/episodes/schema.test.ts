import { expect, test } from 'vitest';
import { createEpisode, releaseChoice } from '~/server/domain/episodes/schema';
import { fieldErrors } from '../../support/field-errors';

test.each([
  ['valid input', {}, {}],
  ['no name', { name: '' }, { name: 'episode.name_required' }],
  ['no file', { fileKey: '' }, { fileKey: 'episode.file_required' }],
  ['no description', { description: '' }, { description: 'episode.description_required' }],
  ['an unknown type', { type: 'secret' }, { type: 'episode.type_required' }],
  ['an invalid date', { releaseDate: 'tomorrow' }, { releaseDate: 'episode.date_invalid' }],
])('an episode with %s', (_, change, errors) => {
  const episode = { kind: 'podcast', productId: 1, name: 'Uno', description: 'x', fileKey: 'b'.repeat(24) };

  expect(fieldErrors(createEpisode, { ...episode, ...change })).toEqual(errors);
});

test('a release time is read in the time zone of the form', () => {
  const later = { publish: 'later', releaseLocal: '2026-12-24T20:00', timeZone: 'Europe/Madrid' };

  expect(releaseChoice.parse(later)?.toISOString()).toBe('2026-12-24T19:00:00.000Z');
  expect(releaseChoice.parse({ publish: 'now', releaseLocal: '2026-12-24T20:00' })).toBeNull();
  expect(fieldErrors(releaseChoice, { publish: 'later', releaseLocal: '' })).toEqual({
    releaseDate: 'episode.date_invalid',
  });
});
