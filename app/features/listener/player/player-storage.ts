import { type Markers, NO_MARKERS } from './listen-counter';
import type { PlayerState, Track } from './state';
import { tryStorage } from './storage';

/** `playerData` of spec §3, which a reload restores. */
export type PlayerData = { track: Track; position: number; durationSeconds: number; volume: number; speed: number };

const DATA = 'playerData';
const QUEUE = 'playerQueue';

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
  if (!saved || !isTrack(saved.track)) return null;
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

const isTrack = (value: Partial<Track> | undefined): value is Track =>
  Boolean(value?.id && typeof value.url === 'string');

export function saveQueue(queue: Track[]): void {
  tryStorage(() => localStorage.setItem(QUEUE, JSON.stringify(queue)));
}

export function loadQueue(): Track[] {
  const saved = tryStorage(() => JSON.parse(localStorage.getItem(QUEUE) ?? '[]') as unknown);
  return Array.isArray(saved) ? saved.filter(isTrack) : [];
}

/** The markers of the listen counter last as long as the tab (spec §3, session values). */
export function saveMarkers({ started, lastListenTime, apiHitted, ticket }: Markers): void {
  tryStorage(() => {
    sessionStorage.setItem('started', String(started ?? ''));
    sessionStorage.setItem('lastListenTime', String(lastListenTime));
    sessionStorage.setItem('apiHitted', apiHitted ? '1' : '');
    sessionStorage.setItem('listenTicket', ticket ?? '');
  });
}

export function clearMarkers(): void {
  tryStorage(() => {
    for (const name of ['started', 'lastListenTime', 'apiHitted', 'listenTicket']) sessionStorage.removeItem(name);
  });
}

export function loadMarkers(): Markers {
  const saved = tryStorage(() => ({
    started: Number(sessionStorage.getItem('started')) || null,
    lastListenTime: Number(sessionStorage.getItem('lastListenTime')) || 0,
    apiHitted: sessionStorage.getItem('apiHitted') === '1',
    ticket: sessionStorage.getItem('listenTicket') || null,
  }));
  return saved ?? NO_MARKERS;
}

/** A random ID per tab. The server uses it to count a listen once per session. */
export function listenSession(): string {
  const saved = tryStorage(() => sessionStorage.getItem('listenSession'));
  if (saved) return saved;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  fallbackSession ??= fresh;
  const isSaved = tryStorage(() => {
    sessionStorage.setItem('listenSession', fresh);
    return true;
  });
  return isSaved ? fresh : fallbackSession;
}
/** The session ID without storage: tickets must still belong to the session that reports the listen. */
let fallbackSession: string | undefined;
