import { formatClockTime } from '~/app/lib/clock';
import { parseClock, SECONDS } from '~/server/base/time';
import { nearestPause, type Pause } from '~/server/domain/insertions/rules';

/** A passage of an episode as its two fields have it: clock times, or what the user is typing. */
export type PassageTimes = { start: string; end: string };
export type Edge = keyof PassageTimes;

/** `longestMs`: of the passage; null for any length. `defaultMs`: of a passage whose other end is empty. */
export type PassageLimits = { durationMs: number; longestMs: number | null; defaultMs: number };

/** Milliseconds; NaN for a field without a time. */
export const spanOf = ({ start, end }: PassageTimes) => ({ startMs: parseClock(start), endMs: parseClock(end) });

/** A typed time is meant more exactly than a place on the waveform. */
const TYPED_SNAP_MS = SECONDS(1);
const SNAP_PIXELS = 12;

/** How far the end of a passage snaps to a pause: on a long episode, one pixel is several seconds. */
export const snapOf = (msPerPixel: number) => Math.max(TYPED_SNAP_MS, msPerPixel * SNAP_PIXELS);

/** The time as it is, or the pause beside it. */
export const snapped = (ms: number, pauses: readonly Pause[], withinMs = TYPED_SNAP_MS): number =>
  nearestPause(pauses, ms, withinMs)?.atMs ?? ms;

/**
 * Moves one end of a passage. The other end keeps its place, unless the passage would be turned around or too long: it
 * follows then.
 */
export function moveEdge(times: PassageTimes, edge: Edge, ms: number, limits: PassageLimits): PassageTimes {
  const { durationMs, longestMs, defaultMs } = limits;
  const other = spanOf(times)[edge === 'start' ? 'endMs' : 'startMs'];
  const length = edge === 'start' ? other - ms : ms - other;
  const within = (at: number) => Math.min(Math.max(0, at), durationMs);
  const away = (by: number) => within(edge === 'start' ? ms + by : ms - by);
  const tooLong = longestMs !== null && length > longestMs;
  // also for an end that is not a number
  const kept = length > 0 ? (tooLong ? away(longestMs) : other) : away(defaultMs);
  const [startMs, endMs] = edge === 'start' ? [within(ms), kept] : [kept, within(ms)];
  return { start: formatClockTime(startMs), end: formatClockTime(endMs) };
}
