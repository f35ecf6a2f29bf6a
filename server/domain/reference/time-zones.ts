import { setImmediate } from 'node:timers/promises';
import type { Language } from '~/locales/languages';
import { currentZoneName, utcDay } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import zoneCities from './zone-cities.json';

/** A form option, such as `(GMT+1) Madrid, Central European Time`. */
export type TimeZoneOption = { value: string; label: string };

/** A formatter takes almost a millisecond to make, so other requests run between batches. */
const BATCH = 20;

/** Each language's list, and the UTC day of its offsets: they change when daylight saving does. */
const cache = new Map<Language, { day: string; options: Promise<TimeZoneOption[]> }>();

/** Form options for time zones, by offset from UTC, named in the reader's language. */
export function timeZoneOptions({ language, now }: Pick<Ctx, 'language' | 'now'>): Promise<TimeZoneOption[]> {
  const day = utcDay(now());
  const cached = cache.get(language);
  if (cached?.day === day) return cached.options;
  const options = listZones(language, now());
  cache.set(language, { day, options });
  return options;
}

async function listZones(language: Language, at: Date): Promise<TimeZoneOption[]> {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(currentZoneName)]);
  const zones: (TimeZoneOption & { minutes: number })[] = [];
  for (const zone of names) {
    if (zones.length % BATCH === 0) await setImmediate();
    zones.push(describeZone(zone, language, at));
  }
  zones.sort((a, b) => a.minutes - b.minutes || a.label.localeCompare(b.label, language));
  return zones.map(({ value, label }) => ({ value, label }));
}

function describeZone(value: string, language: Language, at: Date): TimeZoneOption & { minutes: number } {
  const nameIn = (timeZoneName: 'longGeneric' | 'shortOffset') =>
    new Intl.DateTimeFormat(language, { timeZone: value, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offset = nameIn('shortOffset');
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-−])(\d+)(?::(\d+))?/.exec(offset) ?? [];
  const ahead = Number(hours) * 60 + Number(minutes);
  const place = placeName(value, language);
  const label = place ? `(${offset}) ${place}, ${nameIn('longGeneric')}` : `(${offset}) ${value}`;
  return { value, label, minutes: sign === '+' ? ahead : -ahead };
}

/**
 * Cities whose names differ from those of the zones, from Unicode CLDR 48.2 (docs/licenses/unicode-3.0.txt): the
 * `exemplarCity` entries of cldr-dates-full, under the zones' current names.
 */
const CITIES: Record<Language, Record<string, string>> = zoneCities;

/** 'America/Argentina/Cordoba' → 'Córdoba, Argentina'; empty for UTC. */
function placeName(zone: string, language: Language): string {
  const [city = '', ...rest] = zone.split('/').slice(1).reverse();
  const name = CITIES[language][zone] ?? city.replaceAll('_', ' ');
  return name.includes(',') ? name : [name, ...rest].join(', ').replaceAll('_', ' ');
}
