import type { Sleep } from './state';

export const MINUTE_MS = 60_000;

/** @param choice minutes, `end_of_episode`, or another text to switch the timer off */
export function sleepOf(choice: string, nowMs: number): Sleep | null {
  if (choice === 'end_of_episode') return { until: 'end_of_episode' };
  const minutes = Number(choice);
  return minutes > 0 ? { until: 'time', atMs: nowMs + minutes * MINUTE_MS, minutes } : null;
}

/** Whether playback must stop now. `hasEnded`: the episode has just played to its end. */
export function isTimeToSleep(sleep: Sleep | null, now: { ms: number; hasEnded: boolean }): boolean {
  if (!sleep) return false;
  return sleep.until === 'time' ? now.ms >= sleep.atMs : now.hasEnded;
}
