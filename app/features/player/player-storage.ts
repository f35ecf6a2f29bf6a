import { type Markers, NO_MARKERS } from './listen-counter';
import type { PlayerState, Track } from './state';

/** `playerData` of spec §3, which a reload restores. */
export type PlayerData = { track: Track; position: number; durationSeconds: number; volume: number; speed: number };

const DATA = 'playerData';

/** A browser may disable storage. The player then works without saving anything. */
function tryStorage<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export function savePlayer(state: PlayerState, position: number): void {
  const { track, durationSeconds, volume, speed } = state;
  if (!track) return;
  const saved: PlayerData = { track, position, durationSeconds, volume, speed };
  tryStorage(() => localStorage.setItem(DATA, JSON.stringify(saved)));
}

export function clearPlayer(): void {
  tryStorage(() => localStorage.removeItem(DATA));
}

export function loadPlayer(): PlayerData | null {
  const saved = tryStorage(() => JSON.parse(localStorage.getItem(DATA) ?? 'null') as Partial<PlayerData> | null);
  if (!saved?.track?.id || typeof saved.track.url !== 'string') return null;
  const number = (value: unknown, otherwise: number) =>
    typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  return {
    track: saved.track,
    position: number(saved.position, 0),
    durationSeconds: number(saved.durationSeconds, 0),
    volume: number(saved.volume, 10),
    speed: number(saved.speed, 1),
  };
}

/** The markers of the listen counter last as long as the tab (spec §3, session values). */
export function saveMarkers(markers: Markers): void {
  tryStorage(() => {
    sessionStorage.setItem('started', String(markers.started ?? ''));
    sessionStorage.setItem('lastListenTime', String(markers.lastListenTime));
    sessionStorage.setItem('apiHitted', markers.apiHitted ? '1' : '');
  });
}

export function clearMarkers(): void {
  tryStorage(() => {
    for (const name of ['started', 'lastListenTime', 'apiHitted']) sessionStorage.removeItem(name);
  });
}

export function loadMarkers(): Markers {
  const saved = tryStorage(() => ({
    started: Number(sessionStorage.getItem('started')) || null,
    lastListenTime: Number(sessionStorage.getItem('lastListenTime')) || 0,
    apiHitted: sessionStorage.getItem('apiHitted') === '1',
  }));
  return saved ?? NO_MARKERS;
}

/** A random ID per tab. The server uses it to count a listen once per session. */
export function listenSession(): string {
  const saved = tryStorage(() => sessionStorage.getItem('listenSession'));
  if (saved) return saved;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  tryStorage(() => sessionStorage.setItem('listenSession', fresh));
  return fresh;
}
