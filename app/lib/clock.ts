import { formatClock } from '~/server/base/clock';

export { formatClock };

/** A duration in the format of `<time>` and schema.org: 3675 → 'PT1H1M15S'. */
export function isoDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return `PT${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${whole % 60}S`;
}

/** A time to edit, to the tenth of a second: 75500 → '1:15.5'. */
export function formatClockTime(milliseconds: number): string {
  const tenths = Math.max(0, Math.floor(milliseconds / 100));
  return formatClock(Math.floor(tenths / 10)) + (tenths % 10 > 0 ? `.${tenths % 10}` : '');
}
