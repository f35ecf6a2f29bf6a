import { mutateProcedure, ProcedureError } from '~/app/lib/procedures';
import { NO_MARKERS, startMarkers, tick } from './listen-counter';
import { clearMarkers, listenSession, loadMarkers, saveMarkers } from './player-storage';
import { retryDelay } from './recovery';

/**
 * The one-second counter of spec §4. It runs while an episode is selected, and counts the seconds of actual playback.
 */
let timer: ReturnType<typeof setInterval> | null = null;
let lastTickMs = 0;
let markers = NO_MARKERS;

/** @param everySecond runs once a second and returns whether audio is playing */
export function startListenTimer(episodeId: number, everySecond: (nowMs: number) => boolean): void {
  if (timer) return;
  markers = startMarkers(loadMarkers(), episodeId);
  lastTickMs = performance.now();
  timer = setInterval(() => {
    const now = performance.now();
    const elapsed = (now - lastTickMs) / 1000;
    lastTickMs = now;
    if (everySecond(now)) count(elapsed);
  }, 1000);
}

export function stopListenTimer(): void {
  if (!timer) return;
  clearInterval(timer);
  timer = null;
  saveMarkers(markers);
}

/** Skipping clears the markers (spec §4). */
export function resetListenTimer(): void {
  stopListenTimer();
  markers = NO_MARKERS;
  clearMarkers();
}

function count(seconds: number) {
  const result = tick(markers, seconds);
  markers = result.markers;
  saveMarkers(markers);
  if (result.listened && markers.started) void record(markers.started);
}

/** Retries are safe: the server counts a session's listen once. */
async function record(episodeId: number, attempt = 0): Promise<void> {
  try {
    await mutateProcedure('listening.record', { id: episodeId, session: listenSession() });
  } catch (error) {
    const isFinal = error instanceof ProcedureError && error.status < 500 && error.status !== 429;
    const wait = isFinal ? null : retryDelay(attempt, false);
    if (wait !== null) setTimeout(() => void record(episodeId, attempt + 1), wait);
  }
}
