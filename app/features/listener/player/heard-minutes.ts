/** What a listener has heard of an episode, minute by minute, in this tab. */
export type Heard = {
  id: number;
  /** Seconds into the episode at the last tick. */
  last: number | null;
  /** Heard seconds of each minute. */
  seconds: Map<number, number>;
  /** Minutes that are heard and not reported yet. */
  waiting: Set<number>;
};

export const nothingHeard = (id: number): Heard => ({ id, last: null, seconds: new Map(), waiting: new Set() });

/** One tick of playback. A larger step is a jump, whose seconds nobody has heard. */
export function hear(heard: Heard, position: number, durationSeconds: number): void {
  const step = heard.last === null ? 0 : position - heard.last;
  heard.last = position;
  if (step <= 0 || step > MAX_STEP_SECONDS) return;
  const minute = Math.floor((position - step / 2) / 60);
  const before = heard.seconds.get(minute) ?? 0;
  heard.seconds.set(minute, before + step);
  const needed = Math.min(60, (durationSeconds || Number.POSITIVE_INFINITY) - minute * 60) / 2;
  if (before < needed && before + step >= needed) heard.waiting.add(minute);
}

/** Minutes as the server takes them: hours of the episode, with a bit for each minute in hexadecimal. */
export function toHours(minutes: Iterable<number>): [number, string][] {
  const hours = new Map<number, bigint>();
  for (const minute of minutes) {
    const hour = Math.floor(minute / 60);
    hours.set(hour, (hours.get(hour) ?? 0n) | (1n << BigInt(minute % 60)));
  }
  return [...hours].map(([hour, bits]) => [hour, bits.toString(16)]);
}

/** A second at the highest speed, and what a throttled timer adds. */
const MAX_STEP_SECONDS = 10;
