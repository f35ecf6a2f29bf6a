const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** A date as RSS requires it, with a four-digit year. */
export const RFC_2822 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|GMT|UT|[ECMP][SD]T)$/;

/** Formats a date in UTC. */
export function toRfc2822(at: Date): string {
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map((part) => TWO_DIGITS[part]).join(':');
  const date = `${TWO_DIGITS[at.getUTCDate()]} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  return `${DAYS[at.getUTCDay()]}, ${date} ${time} +0000`;
}
