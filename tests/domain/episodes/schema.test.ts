import { expect, test } from 'vitest';
import { createEpisode, releaseChoice, updateEpisode } from '~/server/domain/episodes/schema';
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

test.each([
  'javascript:alert(1)',
  'https://a.example/\u0000',
  'https://a.example/">',
  'https://bank.example@a.example',
])('the link %j of a person is refused', (url) => {
  const errors = fieldErrors(updateEpisode, { id: 1, kind: 'podcast', people: [{ name: 'Ana', url }] });

  expect(errors).toEqual({ 'people.0.url': 'episode.person_url_invalid' });
});

test('a release time is read in the time zone of the form', () => {
  const later = { publish: 'later', releaseLocal: '2026-12-24T20:00', timeZone: 'Europe/Madrid' };

  expect(releaseChoice.parse(later)?.toISOString()).toBe('2026-12-24T19:00:00.000Z');
  expect(releaseChoice.parse({ publish: 'now', releaseLocal: '2026-12-24T20:00' })).toBeNull();
  expect(fieldErrors(releaseChoice, { publish: 'later', releaseLocal: '' })).toEqual({
    releaseDate: 'episode.date_invalid',
  });
});

test.each([
  ['skipped', '2026-03-29T02:30', '2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z'],
  ['repeated', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
])('a %s time is an error until one of the two instants is chosen', (kind, releaseLocal, ...instants) => {
  const later = { publish: 'later', releaseLocal, timeZone: 'Europe/Madrid' };
  const asked = { releaseDate: `episode.time_${kind}` };

  expect(fieldErrors(releaseChoice, later)).toEqual(asked);
  // this moment answers a question about another time or zone
  expect(fieldErrors(releaseChoice, { ...later, releaseMoment: '2026-05-01T10:00:00.000Z' })).toEqual(asked);
  for (const releaseMoment of instants) {
    expect(releaseChoice.parse({ ...later, releaseMoment })?.toISOString()).toBe(releaseMoment);
  }
  const once = { ...later, releaseLocal: '2026-06-01T10:00', releaseMoment: instants[0] };
  expect(releaseChoice.parse(once)?.toISOString()).toBe('2026-06-01T08:00:00.000Z');
});
