import { NO_MARKERS, startMarkers, tick } from './listen-counter';
import { clearMarkers, loadMarkers, saveMarkers } from './player-storage';
import { hearSecond, reportHeard } from './report-heard';
import { startedEpisode } from './started-episode';
import { isPromo } from './state';

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
  if (!markers.ticket) void keepTicket(episodeId);
  lastTickMs = performance.now();
  timer = setInterval(() => {
    const now = performance.now();
    const elapsed = (now - lastTickMs) / 1000;
    lastTickMs = now;
    if (!everySecond(now)) return;
    count(elapsed);
    if (!isPromo(episodeId) && markers.started === episodeId) hearSecond(episodeId, markers.ticket, keepTicket);
  }, 1000);
}

export function stopListenTimer(): void {
  if (!timer) return;
  clearInterval(timer);
  timer = null;
  saveMarkers(markers);
  void reportHeard();
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
  if (result.listened && markers.started && !isPromo(markers.started)) void report(markers.started, markers.ticket);
}

/** Without a connection, the next second tries again. */
async function report(id: number, ticket: string | null) {
  const reporting = await import('./report-listen').catch(() => null);
  if (reporting) void reporting.reportListen({ id, ticket, renew: keepTicket });
  else markers = { ...markers, apiHitted: false };
}

async function keepTicket(episodeId: number): Promise<string | null> {
  const ticket = await startedEpisode(episodeId).then(
    (answer) => answer.ticket,
    () => null,
  );
  if (ticket && markers.started === episodeId) {
    markers = { ...markers, ticket };
    saveMarkers(markers);
  }
  return ticket;
}
