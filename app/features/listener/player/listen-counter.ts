import { LISTEN_LIMITS } from '~/server/limits/listening';

/** The session values of spec §3. They live in the tab's session storage and restart with each episode. */
export type Markers = {
  /** ID of the episode being counted. */
  started: number | null;
  /** Seconds heard so far, across pauses and reloads. */
  lastListenTime: number;
  /** Whether this episode's listen has been recorded. */
  apiHitted: boolean;
  /** The ticket of the play call that began the counting; the server asks for it (docs/decisions/0165). */
  ticket: string | null;
};

export const NO_MARKERS: Markers = { started: null, lastListenTime: 0, apiHitted: false, ticket: null };

/** Starts counting an episode, or continues if it is the same one. */
export function startMarkers(markers: Markers, episodeId: number): Markers {
  return markers.started === episodeId ? markers : { ...NO_MARKERS, started: episodeId };
}

/**
 * One tick of the counter, which runs during playback.
 * @param seconds since the last tick; capped, so that a sleeping laptop's hours don't count
 * @returns the new markers, and whether this tick completes the listen (more than 60 s, once)
 */
export function tick(markers: Markers, seconds: number): { markers: Markers; listened: boolean } {
  const lastListenTime = markers.lastListenTime + Math.min(Math.max(seconds, 0), MAX_TICK_SECONDS);
  const listened = !markers.apiHitted && lastListenTime > LISTEN_LIMITS.countedAfterSeconds;
  return { markers: { ...markers, lastListenTime, apiHitted: markers.apiHitted || listened }, listened };
}

/** Browsers throttle the timers of hidden tabs, so a tick may be slightly late. */
const MAX_TICK_SECONDS = 2;
