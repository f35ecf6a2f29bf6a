import { HOURS, isTimeZone, MINUTES } from '../../base/time';

/** How month names start, without accents, in: en es fr de it pt nl sv pl cs ru el tr ca hu. */
const NAMES: string[] = [
  'jan ene gen janv sty led янв ιαν oca sij',
  'feb fev febr lut uno фев φεβ sub',
  'mar marz mars marc maa mrt bre мар μαρ',
  'apr abr avr avri kwi dub апр απρ nis',
  'may mai mag maj mei kve маи мая μαι μαϊ',
  'jun juin giu cze cer cvn июн ιουν haz',
  'jul juil lug lip cervene cervenc cvc июл ιουλ tem',
  'aug ago aou sie srp авг αυγ agu',
  'sep sept set wrz zar сен σεπ eyl',
  'oct okt out ott paz rij окт οκτ eki',
  'nov lis listo kas ноя νοε',
  'dec dic dez gru pro дек δεκ ara des',
];

/** Months by the first three or more letters of their names. */
export const MONTHS = new Map<string, number>(
  NAMES.flatMap((words, at) => words.split(' ').map((word): [string, number] => [word, at + 1])),
);

/** UTC offsets in hours of named zones: those of RFC 2822 §4.3 and others that feeds use. */
export const ZONES: Record<string, number> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  met: 1,
  mez: 1,
  cest: 2,
  mest: 2,
  mesz: 2,
  eet: 2,
  sast: 2,
  eest: 3,
  msk: 3,
  wat: 1,
  cat: 2,
  eat: 3,
  idt: 3,
  pkt: 5,
  npt: 5.75,
  pht: 8,
  trt: 3,
  gst: 4,
  ist: 5.5,
  ict: 7,
  wib: 7,
  hkt: 8,
  sgt: 8,
  awst: 8,
  jst: 9,
  kst: 9,
  acst: 9.5,
  aest: 10,
  acdt: 10.5,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  brt: -3,
  art: -3,
  adt: -3,
  nst: -3.5,
  ndt: -2.5,
  ast: -4,
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
  akdt: -8,
  akst: -9,
  hst: -10,
};

/** American zones whose names leave open whether daylight saving time applies. */
const REGIONS: Record<string, string> = {
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
};
const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset from UTC in milliseconds of `et`, `ct`, `mt` or `pt` at a local time, given as if it were UTC. */
export const regionalOffset = (region: string, local: number): number => offsetIn(REGIONS[region]!, local);

/** The offset of an IANA time zone; null if the platform does not know it. */
export const namedOffset = (zone: string, local: number): number | null =>
  isTimeZone(zone) ? offsetIn(zone, local) : null;

function offsetIn(timeZone: string, local: number): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const offsetAt = (instant: number) => {
    const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d{2}):(\d{2})/.exec(format.format(instant)) ?? [];
    return (sign === '-' ? -1 : 1) * (HOURS(Number(hours)) + MINUTES(Number(minutes)));
  };
  // the offset at about that instant leads to the instant, except in the hour of a change
  return offsetAt(local - offsetAt(local));
}
