import { PLAYER_LIMITS } from '~/server/limits/player';
import { tryStorage } from './storage';

/** The position where the listener stopped in each episode in this browser: seconds, and when (ms). */
export type RememberedPositions = Record<string, { seconds: number; atMs: number }>;

const POSITIONS = 'playerPositions';
const ACCOUNT = 'remembersPositions';

/** Public pages are the same for all visitors, so the browser remembers whether the user is logged in. */
export function setHasAccount(value: boolean): void {
  tryStorage(() => (value ? localStorage.setItem(ACCOUNT, '1') : localStorage.removeItem(ACCOUNT)));
}
export const hasAccount = () => tryStorage(() => localStorage.getItem(ACCOUNT)) === '1';

/** If false, as on a first visit, the code for positions need not load. */
export const mayBeRemembered = () => hasAccount() || tryStorage(() => localStorage.getItem(POSITIONS)) !== null;

export function readPositions(): RememberedPositions {
  return tryStorage(() => JSON.parse(localStorage.getItem(POSITIONS) ?? '{}') as RememberedPositions) ?? {};
}

export function writePositions(positions: RememberedPositions): void {
  tryStorage(() => localStorage.setItem(POSITIONS, JSON.stringify(positions)));
}

/**
 * The position at which an episode continues, in seconds; 0 for the first moments, which listeners do not want to skip
 * (spec §9).
 */
export function rememberedPosition(episodeId: number): number {
  const seconds = Number(readPositions()[episodeId]?.seconds);
  return seconds > PLAYER_LIMITS.jumpsPastSeconds ? seconds : 0;
}

/** Whether there is a player from before a reload, or a player from another host in the URL. */
export const isToRestore = () =>
  /[#&]listen=/.test(location.hash) || tryStorage(() => localStorage.getItem('playerData')) !== null;
