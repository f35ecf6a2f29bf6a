import { expect, test } from 'vitest';
import { defineError } from '~/server/base/errors';
import { nextTry, retryDelay } from '~/server/base/retries';
import { HOURS, later, SECONDS } from '~/server/base/time';
import { IMPORT_LIMITS } from '~/server/limits/rss-import';

const now = new Date('2026-03-02T09:00:00Z');
const failing = defineError('test.failing', 'upstream')();
const busy = defineError('test.busy', 'too_many');
const gone = defineError('test.gone', 'invalid')();

test('retries wait longer each time, as long as the host asks, and an hour at most', () => {
  expect([1, 2, 3].map((attempts) => retryDelay(attempts, 0, IMPORT_LIMITS))).toEqual([30, 60, 120].map(SECONDS));
  expect(retryDelay(1, 600, IMPORT_LIMITS)).toBe(SECONDS(600));
  expect(retryDelay(1, 86_400, IMPORT_LIMITS)).toBe(HOURS(1));
});

test.each([
  ['the first fault', failing, 0, 0, SECONDS(30)],
  ['the last fault', failing, 4, 0, null],
  ['a fault that stays', gone, 0, 0, null],
  ['a busy host', busy({ seconds: 90 }), 4, 0, SECONDS(480)],
  ['a host that asks for more', busy({ seconds: 900 }), 4, 0, SECONDS(900)],
  ['a host that is always busy', busy({ seconds: 90 }), 19, 0, null],
  ['a fault before the end of all time', failing, 0, HOURS(12) - SECONDS(30), null],
])('after %s the next attempt comes in time, or never', (_, error, attempts, age, pause) => {
  const tried = { attempts, startedAt: new Date(now.getTime() - age) };

  expect(nextTry(tried, error, { now, limits: IMPORT_LIMITS })).toEqual(pause === null ? null : later(now, pause));
});
