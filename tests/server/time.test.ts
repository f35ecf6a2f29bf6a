import { expect, test } from 'vitest';
import { currentZoneName, fromWallClock, isTimeZone, toWallClock } from '~/server/time';

test.each([
  ['winter in Madrid', '2026-01-15T09:30', 'Europe/Madrid', '2026-01-15T08:30:00.000Z'],
  ['summer in Madrid', '2026-07-15T09:30', 'Europe/Madrid', '2026-07-15T07:30:00.000Z'],
  ['a skipped hour moves forward', '2026-03-29T02:30', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
  ['a repeated hour is the first of the two', '2026-10-25T02:30', 'Europe/Madrid', '2026-10-25T00:30:00.000Z'],
  ['the hour after the change back', '2026-10-25T03:30', 'Europe/Madrid', '2026-10-25T02:30:00.000Z'],
  ['half-hour zones', '2026-05-01T00:15', 'Asia/Kolkata', '2026-04-30T18:45:00.000Z'],
  ['a zone west of UTC', '2026-12-31T22:00', 'America/Bogota', '2027-01-01T03:00:00.000Z'],
  ['a skipped hour in New York', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
])('wall clock to UTC: %s', (_, local, zone, utc) => {
  expect(fromWallClock(local, zone).toISOString()).toBe(utc);
});

test('converting to wall clock time and back gives the same time', () => {
  for (const zone of ['Europe/Madrid', 'America/Bogota', 'Asia/Kolkata', 'UTC']) {
    const moment = new Date('2026-11-21T16:45:00Z');

    expect(fromWallClock(toWallClock(moment, zone), zone)).toEqual(moment);
  }
});

test('only existing time zones are accepted', () => {
  expect([isTimeZone('Europe/Madrid'), isTimeZone('Europe/Altavoz'), isTimeZone('')]).toEqual([true, false, false]);
});

test('a time zone has its current name', () => {
  expect([currentZoneName('Asia/Calcutta'), currentZoneName('Europe/Madrid')]).toEqual([
    'Asia/Kolkata',
    'Europe/Madrid',
  ]);
});
