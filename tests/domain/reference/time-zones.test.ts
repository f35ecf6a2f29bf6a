import { expect, test } from 'vitest';
import { isTimeZone } from '~/server/base/time';
import { timeZoneOptions } from '~/server/domain/reference/time-zones';

const inSummer = () => new Date('2026-07-01T12:00:00Z');

test('time zones have their offset and their name in the reader’s language, and no obsolete name', async () => {
  const english = await timeZoneOptions({ language: 'en', now: inSummer });
  const spanish = await timeZoneOptions({ language: 'es', now: inSummer });
  const labelOf = (list: typeof english, zone: string) => list.find(({ value }) => value === zone)?.label;

  expect(labelOf(english, 'Europe/Madrid')).toBe('(GMT+2) Madrid, Central European Time');
  expect(labelOf(spanish, 'Europe/Madrid')).toBe('(GMT+2) Madrid, hora de Europa central');
  expect(labelOf(english, 'America/Argentina/Buenos_Aires')).toMatch(/^\(GMT-3\) Buenos Aires, Argentina, /);
  expect(labelOf(english, 'Asia/Calcutta')).toBeUndefined();
  expect(english.every(({ value }) => isTimeZone(value))).toBe(true);
});

test('cities have their names in the reader’s language', async () => {
  const english = await timeZoneOptions({ language: 'en', now: inSummer });
  const spanish = await timeZoneOptions({ language: 'es', now: inSummer });
  const placeOf = (list: typeof english, zone: string) =>
    / (.+), [^,]+$/.exec(list.find(({ value }) => value === zone)?.label ?? '')?.[1];

  expect(placeOf(spanish, 'America/New_York')).toBe('Nueva York');
  expect(placeOf(spanish, 'Africa/Cairo')).toBe('El Cairo');
  expect(placeOf(spanish, 'America/Argentina/Cordoba')).toBe('Córdoba, Argentina');
  expect(placeOf(spanish, 'America/North_Dakota/Center')).toBe('Center, Dakota del Norte');
  expect(placeOf(english, 'America/Sao_Paulo')).toBe('São Paulo');
});

test('time zones are sorted by their offset', async () => {
  const zones = (await timeZoneOptions({ language: 'en', now: inSummer })).map(({ value }) => value);
  const order = ['Pacific/Honolulu', 'America/St_Johns', 'UTC', 'Europe/Madrid', 'Asia/Kolkata', 'Pacific/Auckland'];

  expect(order.map((zone) => zones.indexOf(zone))).toEqual(
    order.map((zone) => zones.indexOf(zone)).sort((a, b) => a - b),
  );
  expect(order.every((zone) => zones.includes(zone))).toBe(true);
});
