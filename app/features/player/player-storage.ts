import { type Markers, NO_MARKERS } from './listen-counter';
import type { PlayerState, Track } from './state';

/** `playerData` of spec §3: what a reload takes up again. */
export type PlayerData = { track: Track; position: number; durationSeconds: number; volume: number; speed: number };

const DATA = 'playerData';

/** A browser may forbid storage altogether; then nothing is kept, and the player works all the same. */
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
  const kept: PlayerData = { track, position, durationSeconds, volume, speed };
  tryStorage(() => localStorage.setItem(DATA, JSON.stringify(kept)));
}

export function clearPlayer(): void {
  tryStorage(() => localStorage.removeItem(DATA));
}

export function loadPlayer(): PlayerData | null {
  const kept = tryStorage(() => JSON.parse(localStorage.getItem(DATA) ?? 'null') as Partial<PlayerData> | null);
  if (!kept?.track?.id || typeof kept.track.url !== 'string') return null;
  const number = (value: unknown, otherwise: number) =>
    typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  return {
    track: kept.track,
    position: number(kept.position, 0),
    durationSeconds: number(kept.durationSeconds, 0),
    volume: number(kept.volume, 10),
    speed: number(kept.speed, 1),
  };
}

/** The listen counter's markers live as long as the tab (spec §3, session values). */
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
  const kept = tryStorage(() => ({
    started: Number(sessionStorage.getItem('started')) || null,
    lastListenTime: Number(sessionStorage.getItem('lastListenTime')) || 0,
    apiHitted: sessionStorage.getItem('apiHitted') === '1',
  }));
  return kept ?? NO_MARKERS;
}

/** One unguessable name per tab, so that a listen counts once per session however often it is sent. */
export function listenSession(): string {
  const kept = tryStorage(() => sessionStorage.getItem('listenSession'));
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  tryStorage(() => sessionStorage.setItem('listenSession', fresh));
  return fresh;
}
