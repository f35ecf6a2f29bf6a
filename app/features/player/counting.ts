import { Refused, tell } from '~/app/lib/ask';
import { forgetMarkers, keepMarkers, keptMarkers, listenSession } from './keeping';
import { begin, NOTHING_HEARD, tick } from './listen-counter';
import { nextTry } from './recovery';

/** The one-second counter of spec §4: it runs while an episode is wanted, and counts the seconds in which it sounds. */
let second: ReturnType<typeof setInterval> | null = null;
let lastTickMs = 0;
let markers = NOTHING_HEARD;

/** @param everySecond is called once a second and says whether there is sound */
export function startCounting(episodeId: number, everySecond: (nowMs: number) => boolean): void {
  if (second) return;
  markers = begin(keptMarkers(), episodeId);
  lastTickMs = performance.now();
  second = setInterval(() => {
    const now = performance.now();
    const elapsed = (now - lastTickMs) / 1000;
    lastTickMs = now;
    if (everySecond(now)) count(elapsed);
  }, 1000);
}

export function stopCounting(): void {
  if (!second) return;
  clearInterval(second);
  second = null;
  keepMarkers(markers);
}

/** Skipping clears the markers (spec §4). */
export function forgetCount(): void {
  stopCounting();
  markers = NOTHING_HEARD;
  forgetMarkers();
}

function count(seconds: number) {
  const counted = tick(markers, seconds);
  markers = counted.markers;
  keepMarkers(markers);
  if (counted.listened && markers.started) void record(markers.started);
}

/** The session's name makes a repeated record harmless, so a broken line may be answered by trying again. */
async function record(episodeId: number, attempt = 0): Promise<void> {
  try {
    await tell('listening.record', { id: episodeId, session: listenSession() });
  } catch (error) {
    const isFinal = error instanceof Refused && error.status < 500 && error.status !== 429;
    const wait = isFinal ? null : nextTry(attempt, false);
    if (wait !== null) setTimeout(() => void record(episodeId, attempt + 1), wait);
  }
}
