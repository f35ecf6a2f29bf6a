/** Durations in milliseconds, so that no other code does arithmetic on time. */
export const SECONDS = (count: number) => count * 1000;
export const MINUTES = (count: number) => SECONDS(count * 60);
export const HOURS = (count: number) => MINUTES(count * 60);
export const DAYS = (count: number) => HOURS(count * 24);

export function later(from: Date, milliseconds: number): Date {
  return new Date(from.getTime() + milliseconds);
}

export function earlier(from: Date, milliseconds: number): Date {
  return new Date(from.getTime() - milliseconds);
}

/** The same day and time some months later, or the last day of a shorter month. */
export function monthsLater(from: Date, months: number): Date {
  const at = new Date(from);
  at.setUTCMonth(at.getUTCMonth() + months);
  // the day does not exist: it has become one of the next month
  if (at.getUTCDate() !== from.getUTCDate()) at.setUTCDate(0);
  return at;
}

/** From a moment until before another one; null: without an end. */
export type Period = { from: Date; until: Date | null };

export const isDuring = (periods: readonly Period[], at: Date): boolean =>
  periods.some(({ from, until }) => from <= at && (until === null || at < until));

/** The UTC date, as `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  const days = Math.floor(at.getTime() / DAYS(1));
  const recent = recentDays[days & 1];
  if (recent?.days === days) return recent.text;
  const text = at.toISOString().slice(0, 10);
  recentDays[days & 1] = { days, text };
  return text;
}

/** The UTC month, as `YYYY-MM`. */
export const utcMonth = (at: Date): string => utcDay(at).slice(0, 7);

/** An even and an odd day: almost all calls are about today and yesterday, thousands of times per second. */
const recentDays: { days: number; text: string }[] = [];

/** Whole seconds between two moments, rounded up: how long a client has to wait. */
export const secondsUntil = (then: Date, now: Date): number => wholeSeconds(then.getTime() - now.getTime());

export function wholeSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

/** `75`, `1:15` or `1:01:15.5` in milliseconds; NaN for anything else. */
export function parseClock(text: string): number {
  const [, hours = '0', minutes = '0', seconds = ''] =
    /^\s*(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:[.,]\d{1,3})?)\s*$/.exec(text) ?? [];
  if (seconds === '') return Number.NaN;
  return HOURS(Number(hours)) + MINUTES(Number(minutes)) + Math.round(SECONDS(Number(seconds.replace(',', '.'))));
}

/** Whether the platform knows this IANA time zone, such as `Europe/Madrid`. */
export function isTimeZone(zone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Names that ICU still lists although tzdata has renamed them. Both name the same zone. */
const RENAMED_ZONES: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The current name of a time zone: `Asia/Calcutta` → 'Asia/Kolkata'. */
export function currentZoneName(zone: string): string {
  return RENAMED_ZONES[zone] ?? zone;
}

/** Creating a formatter takes fifty times as long as using it. There are some hundred zones. */
const zoneFormats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = zoneFormats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (zoneFormats.size < MAX_ZONES) zoneFormats.set(zone, format);
  return format;
}

/** More than there are; a zone's name may be written in several ways. */
const MAX_ZONES = 1000;

/** The time zone's offset from UTC at an instant, in milliseconds. */
export function zoneOffset(at: Date, zone: string): number {
  const parts = zoneFormat(zone).formatToParts(at);
  const part = (type: string) => Number(parts.find((p) => p.type === type)?.value);
  const localTime = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return localTime - Math.floor(at.getTime() / 1000) * 1000;
}

/**
 * The instants of a wall-clock time: one; two, if clocks are set back and show it twice; or none, if they are set
 * forward and skip it. Then `earlier` and `later` are its neighbours, as far before and after as the clocks are
 * changed.
 */
export type WallClock =
  | { kind: 'once'; at: Date }
  | { kind: 'repeated'; earlier: Date; later: Date }
  | { kind: 'skipped'; earlier: Date; later: Date };

const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

/**
 * Reads a wall-clock time (`YYYY-MM-DDTHH:mm`, as a datetime-local field sends it) in a time zone. Null for other
 * texts.
 */
export function readWallClock(local: string, zone: string): WallClock | null {
  const asUtc = WALL_CLOCK.test(local) ? new Date(`${local.length === 16 ? `${local}:00` : local}Z`) : null;
  if (!asUtc || Number.isNaN(asUtc.getTime())) return null;
  // no zone changes its clocks twice within two days
  const before = zoneOffset(earlier(asUtc, DAYS(1)), zone);
  const after = zoneOffset(later(asUtc, DAYS(1)), zone);
  const withOffset = (offset: number) => new Date(asUtc.getTime() - offset);
  const isRight = (offset: number) => zoneOffset(withOffset(offset), zone) === offset;
  const found = [...new Set([before, after])].filter(isRight);
  if (found.length === 1) return { kind: 'once', at: withOffset(found[0]!) };
  const [first, second] = [withOffset(before), withOffset(after)].sort((a, b) => a.getTime() - b.getTime());
  return { kind: found.length === 2 ? 'repeated' : 'skipped', earlier: first!, later: second! };
}

/** The wall-clock time of an instant in a time zone, as a datetime-local field takes it (`YYYY-MM-DDTHH:mm`). */
export function toWallClock(at: Date, zone: string): string {
  return new Date(at.getTime() + zoneOffset(at, zone)).toISOString().slice(0, 16);
}

/** The day of an instant in a time zone, as `2026-11-27`. */
export const dayIn = (at: Date, zone: string): string => toWallClock(at, zone).slice(0, 10);

/**
 * The instant at which a day such as `2026-11-26` begins in a time zone: the first midnight if the clock shows it twice,
 * and the first instant of the day if it skips midnight.
 */
export function startOfDay(day: string, zone: string): Date {
  const read = readWallClock(`${day}T00:00`, zone)!;
  return read.kind === 'once' ? read.at : read.kind === 'repeated' ? read.earlier : read.later;
}

/** The date some days after another one, both as `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  return utcDay(later(new Date(`${day}T00:00:00Z`), DAYS(days)));
}

/** The first moment of a month such as `2026-10`, and of the next one (UTC). */
export function monthBounds(month: string): [from: Date, to: Date] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [new Date(Date.UTC(year, number - 1, 1)), new Date(Date.UTC(year, number, 1))];
}
