import { expect, test } from 'vitest';
import { currentZoneName, isTimeZone, readWallClock, toWallClock } from '~/server/base/time';

test.each([
  ['winter in Madrid', '2026-01-15T09:30', 'Europe/Madrid', '2026-01-15T08:30:00.000Z'],
  ['summer in Madrid', '2026-07-15T09:30', 'Europe/Madrid', '2026-07-15T07:30:00.000Z'],
  ['the minute before the gap', '2026-03-29T01:59', 'Europe/Madrid', '2026-03-29T00:59:00.000Z'],
  ['the minute after the gap', '2026-03-29T03:00', 'Europe/Madrid', '2026-03-29T01:00:00.000Z'],
  ['the minute before the fold', '2026-10-25T01:59', 'Europe/Madrid', '2026-10-24T23:59:00.000Z'],
  ['the minute after the fold', '2026-10-25T03:00', 'Europe/Madrid', '2026-10-25T02:00:00.000Z'],
  ['half-hour zones', '2026-05-01T00:15', 'Asia/Kolkata', '2026-04-30T18:45:00.000Z'],
  ['a zone west of UTC', '2026-12-31T22:00', 'America/Bogota', '2027-01-01T03:00:00.000Z'],
  ['the minute after the gap in New York', '2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['the minute after the fold in New York', '2026-11-01T02:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
  ['the minute before the gap of Lord Howe', '2026-10-04T01:59', 'Australia/Lord_Howe', '2026-10-03T15:29:00.000Z'],
  ['the minute after the gap of Lord Howe', '2026-10-04T02:30', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
  ['the minute before the fold of Lord Howe', '2026-04-05T01:29', 'Australia/Lord_Howe', '2026-04-04T14:29:00.000Z'],
  ['the minute after the fold of Lord Howe', '2026-04-05T02:00', 'Australia/Lord_Howe', '2026-04-04T15:30:00.000Z'],
])('wall clock to UTC: %s', (_, local, zone, utc) => {
  expect(readWallClock(local, zone)).toEqual({ kind: 'once', at: new Date(utc) });
});

test.each([
  ['skipped', '2026-03-29T02:30', 'Europe/Madrid', '00:30', '01:30', '01:30', '03:30'],
  ['skipped', '2026-03-29T02:00', 'Europe/Madrid', '00:00', '01:00', '01:00', '03:00'],
  ['repeated', '2026-10-25T02:00', 'Europe/Madrid', '00:00', '01:00', '02:00', '02:00'],
  ['repeated', '2026-10-25T02:59', 'Europe/Madrid', '00:59', '01:59', '02:59', '02:59'],
  ['skipped', '2026-03-08T02:30', 'America/New_York', '06:30', '07:30', '01:30', '03:30'],
  ['repeated', '2026-11-01T01:30', 'America/New_York', '05:30', '06:30', '01:30', '01:30'],
  ['skipped', '2026-10-04T02:15', 'Australia/Lord_Howe', '15:15', '15:45', '01:45', '02:45'],
  ['repeated', '2026-04-05T01:45', 'Australia/Lord_Howe', '14:45', '15:15', '01:45', '01:45'],
])('a time that is %s: %s in %s', (kind, local, zone, first, second, firstLocal, secondLocal) => {
  const read = readWallClock(local, zone);

  if (!read || read.kind === 'once') throw new Error(`${local} is not ${kind}`);
  const utc = [read.earlier, read.later].map((at) => at.toISOString().slice(11, 16));
  const shown = [read.earlier, read.later].map((at) => toWallClock(at, zone).slice(11));
  expect([read.kind, utc, shown]).toEqual([kind, [first, second], [firstLocal, secondLocal]]);
});

test.each(['', 'tomorrow', '2026-13-01T10:00', '2026-01-01', '2026-01-01T10:00Z'])(
  '%s is no wall-clock time',
  (local) => {
    expect(readWallClock(local, 'UTC')).toBeNull();
  },
);

test.each([
  ['Europe/Madrid', '2026-03-28T00:00:00Z'],
  ['Europe/Madrid', '2026-10-24T00:00:00Z'],
  ['America/New_York', '2026-03-07T12:00:00Z'],
  ['America/New_York', '2026-10-31T12:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T00:00:00Z'],
  ['Asia/Kolkata', '2026-04-04T00:00:00Z'],
])('in %s, every quarter of an hour around %s is read back', (zone, from) => {
  for (let i = 0; i < 2 * 24 * 4; i++) {
    const at = new Date(Date.parse(from) + i * 15 * 60_000);
    const read = readWallClock(toWallClock(at, zone), zone);

    if (!read || read.kind === 'skipped') throw new Error(`${at.toISOString()} is ${read?.kind}`);
    expect(read.kind === 'once' ? [read.at] : [read.earlier, read.later]).toContainEqual(at);
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
