import { LISTEN_LIMITS } from '~/server/limits/listening';

/** The session values of spec §3; they live in the tab's session and begin anew with each episode. */
export type Markers = {
  /** The episode that is counted. */
  started: number | null;
  /** Seconds heard so far, kept over pauses and reloads. */
  lastListenTime: number;
  /** The listen of this episode was sent. */
  apiHitted: boolean;
};

export const NO_MARKERS: Markers = { started: null, lastListenTime: 0, apiHitted: false };

/** Begins with an episode, or goes on with the one that was begun. */
export function startMarkers(markers: Markers, episodeId: number): Markers {
  return markers.started === episodeId ? markers : { ...NO_MARKERS, started: episodeId };
}

/**
 * One tick of the counter, which runs while there is sound.
 * @param seconds since the last tick; a sleeping laptop's hours don't count as heard
 * @returns the markers to keep, and whether this tick makes the listen (more than 60 s, once)
 */
export function tick(markers: Markers, seconds: number): { markers: Markers; listened: boolean } {
  const lastListenTime = markers.lastListenTime + Math.min(Math.max(seconds, 0), MAX_TICK_SECONDS);
  const listened = !markers.apiHitted && lastListenTime > LISTEN_LIMITS.countedAfterSeconds;
  return { markers: { ...markers, lastListenTime, apiHitted: markers.apiHitted || listened }, listened };
}

/** Browsers slow the timers of a hidden tab, so a tick may be late by a little. */
const MAX_TICK_SECONDS = 2;
