import { expect, test } from 'vitest';
import type { EpisodeStatus } from '~/db/values/episodes';
import {
  assertReleaseAllowed,
  isBalanced,
  mayBecome,
  releaseOnDay,
  type StatusWriter,
  statusAt,
} from '~/server/domain/episodes/rules';

const now = new Date('2026-11-21T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.each([
  ['no time', null, true],
  ['in an hour', minutes(60), true],
  ['now', now, true],
  ['five minutes ago', minutes(-5), true],
  ['six minutes ago', minutes(-6), false],
  ['a year ago', minutes(-525_600), false],
])('a release time of %s', (_, at, isAllowed) => {
  const attempt = () => assertReleaseAllowed(at, now);

  if (isAllowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow('episode.publish_time_in_past');
});

test.each([
  [{ public: 2, private: 2 }, true, true],
  [{ public: 3, private: 2 }, true, false],
  [{ public: 0, private: 0 }, true, true],
  [{ public: 9, private: 0 }, false, true],
])('%j published episodes (paid product: %j) are balanced: %j', (published, isPaid, expected) => {
  expect(isBalanced(isPaid, published)).toBe(expected);
});

test('an episode is published from its release time on', () => {
  const statuses = [minutes(-1), now, minutes(1)].map((releaseAt) => statusAt(releaseAt, now));

  expect(statuses).toEqual(['published', 'published', 'scheduled']);
});

const STATUSES = ['in_progress', 'failed', 'scheduled', 'published', 'on_hold'] as const;
/** Every allowed change. All others are rejected. */
const ALLOWED = [
  'owner: in_progress to in_progress',
  'owner: failed to in_progress',
  'owner: scheduled to in_progress',
  'owner: scheduled to scheduled',
  'owner: scheduled to published',
  'owner: scheduled to on_hold',
  'owner: published to in_progress',
  'owner: published to scheduled',
  'owner: published to on_hold',
  'owner: on_hold to in_progress',
  'owner: on_hold to scheduled',
  'owner: on_hold to published',
  'check: in_progress to failed',
  'check: in_progress to scheduled',
  'check: in_progress to published',
  'check: in_progress to on_hold',
  'clock: scheduled to published',
  'clock: scheduled to on_hold',
];
const changes = (['owner', 'check', 'clock'] as StatusWriter[]).flatMap((by) =>
  STATUSES.flatMap((from) => STATUSES.map((to): [StatusWriter, EpisodeStatus, EpisodeStatus] => [by, from, to])),
);

test.each(changes)('%s: %s to %s', (by, from, to) => {
  expect(mayBecome(from, to, by)).toBe(ALLOWED.includes(`${by}: ${from} to ${to}`));
});

test.each([
  ['2026-11-30T09:00:00Z', '2026-12-02', 'Europe/Madrid', '2026-12-02T09:00:00.000Z'],
  // the offset changes on 29 March, the time of day does not
  ['2026-03-27T09:00:00Z', '2026-03-30', 'Europe/Madrid', '2026-03-30T08:00:00.000Z'],
  // 02:30 does not exist on 29 March: clocks show 03:30
  ['2026-03-27T01:30:00Z', '2026-03-29', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
  // 02:30 comes twice on 25 October
  ['2026-10-23T00:30:00Z', '2026-10-25', 'Europe/Madrid', '2026-10-25T00:30:00.000Z'],
  // 23:30 on 30 November in New York is 1 December in UTC
  ['2026-12-01T04:30:00Z', '2026-12-02', 'America/New_York', '2026-12-03T04:30:00.000Z'],
])('a release at %s moved to %s in %s', (releaseAt, day, timeZone, expected) => {
  expect(releaseOnDay(new Date(releaseAt), day, timeZone).toISOString()).toBe(expected);
});
