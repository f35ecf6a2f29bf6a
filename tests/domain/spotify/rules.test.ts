import { expect, test } from 'vitest';
import { type AppError, SpotifyAway, type SpotifyCall, SpotifyRejected } from '~/server/base/errors';
import { translate } from '~/server/base/messages';
import { MINUTES } from '~/server/base/time';
import {
  areSame,
  entitlementOf,
  isActive,
  mayStillComplete,
  outagePause,
  pauseBefore,
  stateOfIngestion,
  toSpotifyError,
} from '~/server/domain/spotify/rules';

test.each([
  ['register', 400, 'malformed_authentication', 'Malformed authentication'],
  ['token', 401, 'malformed_authentication', 'Malformed authentication'],
  ['register', 403, 'access_denied', 'Access denied'],
  ['register', 409, 'linked_elsewhere', 'User already linked to another account'],
  ['submit', 400, 'malformed_authentication', 'Malformed authentication'],
  ['submit', 403, 'url_not_allowed', 'Podcast URL not allowed'],
  ['submit', 409, 'duplicate_show', 'Duplicate name or URL conflict'],
  ['status', 403, 'user_not_allowed', 'User not allowed to add, remove or retrieve status'],
  ['remove', 403, 'user_not_allowed', 'User not allowed to add, remove or retrieve status'],
  ['status', 404, 'podcast_not_found', 'Podcast not found'],
  ['status', 418, 'away', 'Spotify doesn’t answer now'],
] as [SpotifyCall, number, string, string][])(
  'a %s that Spotify answers with %i is %s, in the words of the specification',
  (call, status, code, words) => {
    const error = toSpotifyError(new SpotifyRejected(call, status, '')) as AppError;

    expect(error.code).toBe(`spotify.${code}`);
    expect(translate('en', `errors:${error.code}`, {}).startsWith(`${words}.`)).toBe(true);
  },
);

test('faults of Spotify have one error, and other errors stay what they are', () => {
  const other = new Error('ours');

  expect(toSpotifyError(new SpotifyAway('token', 30))).toMatchObject({ code: 'spotify.away', kind: 'upstream' });
  expect(toSpotifyError(other)).toBe(other);
});

test.each([
  ['awaiting ingestion', 'submitted'],
  ['Ingested but failed validation', 'rejected'],
  ['INGESTED_AND_VALID', 'live'],
  ['ingested with unknown validation status due to rate limit', 'unknown'],
  ['INGESTED', 'unknown'],
  ['constructor', 'unknown'],
  ['', 'unknown'],
])('the status “%s” means %s', (words, state) => {
  expect(stateOfIngestion({ status: '200', text: words })).toBe(state);
  expect(stateOfIngestion({ status: words, text: '' })).toBe(state);
});

test('pauses grow to an hour, and Spotify may ask for longer ones', () => {
  const pauses = [0, 1, 2, 6, 7, 1000].map((attempt) => pauseBefore(attempt, { retryAfterSeconds: null }));

  expect(pauses).toEqual([1, 2, 4, 60, 60, 60].map(MINUTES));
  expect(pauseBefore(0, { retryAfterSeconds: 600 })).toBe(MINUTES(10));
  expect(pauseBefore(9, { retryAfterSeconds: 10 })).toBe(MINUTES(60));
});

test('jobs wait together from the third failure in a row, or when Spotify names a time', () => {
  const pauses = [1, 2, 3, 4, 5, 9, 10, 500].map((failures) => outagePause(failures, { retryAfterSeconds: null }));

  expect(pauses).toEqual([null, null, ...[1, 2, 4, 60, 60, 60].map(MINUTES)]);
  expect(outagePause(1, { retryAfterSeconds: 600 })).toBe(MINUTES(10));
  expect(outagePause(1, { retryAfterSeconds: 0 })).toBe(MINUTES(1));
});

test('a link may wait for its completion for an hour', () => {
  const now = new Date('2026-03-02T09:00:00Z');

  expect(mayStillComplete({ registeredAt: new Date('2026-03-02T08:00:01Z') }, now)).toBe(true);
  expect(mayStillComplete({ registeredAt: new Date('2026-03-02T08:00:00Z') }, now)).toBe(false);
  expect(mayStillComplete({ registeredAt: null }, now)).toBe(false);
});

test('entitlements are compared without their order', () => {
  expect(entitlementOf(7)).toBe('show_7');
  expect(areSame(['a', 'b'], ['b', 'a'])).toBe(true);
  expect(areSame(['a'], ['a', 'b'])).toBe(false);
  expect(areSame(['a', 'b'], ['a', 'c'])).toBe(false);
});

test('withdrawn shows are not active', () => {
  expect((['requested', 'live', 'rejected', 'by_hand', 'leaving', 'removed'] as const).map(isActive)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
