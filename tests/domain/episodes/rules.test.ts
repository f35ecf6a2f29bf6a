import { expect, test } from 'vitest';
import {
  assertBalance,
  assertReleaseAllowed,
  type EpisodeStatus,
  mayBecome,
  statusAt,
  TRANSITIONS,
} from '~/server/domain/episodes/rules';

const now = new Date('2026-11-21T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.each([
  ['no time', null, true],
  ['in an hour', minutes(60), true],
  ['now', now, true],
  ['five minutes ago, as filling in a form takes time', minutes(-5), true],
  ['six minutes ago', minutes(-6), false],
  ['a year ago', minutes(-525_600), false],
])('a release time: %s', (_, at, allowed) => {
  const attempt = () => assertReleaseAllowed(at, now);

  if (allowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow('episode.publish_time_in_past');
});

test.each([
  [{ public: 2, private: 2 }, true, true],
  [{ public: 3, private: 2 }, true, false],
  [{ public: 0, private: 0 }, true, true],
  [{ public: 9, private: 0 }, false, true],
])('%j published episodes of a product (paid: %j) are allowed: %j', (published, paid, allowed) => {
  const attempt = () => assertBalance(paid, published);

  if (allowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow('episode.public_exceeds_private');
});

test('a past release time publishes, a future one schedules', () => {
  expect([statusAt(minutes(-1), now), statusAt(now, now), statusAt(minutes(1), now)]).toEqual([
    'published',
    'published',
    'scheduled',
  ]);
});

test('a failed episode can only be checked again, with another file', () => {
  const reachable = (Object.keys(TRANSITIONS) as EpisodeStatus[]).filter((to) => mayBecome('failed', to));

  expect(reachable).toEqual(['in_progress']);
});
