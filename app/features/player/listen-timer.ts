import { mutateProcedure, ProcedureError } from '~/app/lib/procedures';
import { NO_MARKERS, startMarkers, tick } from './listen-counter';
import { clearMarkers, listenSession, loadMarkers, saveMarkers } from './player-storage';
import { retryDelay } from './recovery';
import { forgetStarted, startedEpisode } from './started-episode';

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
  if (result.listened && markers.started) void record(markers.started, markers.ticket);
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

/** Retries are safe: the server counts a session's listen once. */
async function record(id: number, ticket: string | null, attempt = 0): Promise<void> {
  let valid = ticket;
  try {
    valid ??= await keepTicket(id);
    if (!valid) throw new TypeError('no ticket yet');
    await mutateProcedure('listening.record', { id, session: listenSession(), ticket: valid });
  } catch (error) {
    const isExpired = error instanceof ProcedureError && error.code === 'listening.ticket_invalid';
    if (isExpired) forgetStarted();
    const wait = retryListen(error, attempt);
    if (wait !== null) setTimeout(() => void record(id, isExpired ? null : valid, attempt + 1), wait);
  }
}

/** A ticket that was issued late becomes valid within a minute. An expired one is replaced once. */
function retryListen(error: unknown, attempt: number): number | null {
  if (!(error instanceof ProcedureError)) return retryDelay(attempt, false);
  if (error.code === 'listening.ticket_too_early') return attempt < MAX_RETRIES ? TICKET_AGE_MS : null;
  if (error.code === 'listening.ticket_invalid') return attempt === 0 ? 0 : null;
  return error.status < 500 && error.status !== 429 ? null : retryDelay(attempt, false);
}

const MAX_RETRIES = 3;
const TICKET_AGE_MS = 61_000;
