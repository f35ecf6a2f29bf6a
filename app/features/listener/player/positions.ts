import { mutateProcedure, queryProcedure } from '~/app/lib/procedures';
import { PLAYER_LIMITS } from '~/server/limits/player';
import { hasAccount, type RememberedPositions, readPositions, writePositions } from './remembered-positions';
import { isPromo } from './state';

/**
 * Positions are remembered in the browser at once, and on the account every ten seconds, on a pause and when the page
 * is hidden. The newest one wins (docs/decisions/0166).
 */
let lastSavedMs = 0;

/** @param now reports to the account even if the last report was a moment ago */
export function rememberPosition(id: number, seconds: number, { now = false, finished = false } = {}): void {
  if (isPromo(id)) return;
  const atMs = Date.now();
  writePositions(withPosition(readPositions(), id, finished ? null : { seconds, atMs }));
  if (!hasAccount() || (!now && atMs - lastSavedMs < PLAYER_LIMITS.savedEveryMs)) return;
  lastSavedMs = atMs;
  // a lost report is replaced by the next one
  mutateProcedure('listening.savePosition', { id, seconds, finished }).catch(() => {});
}

/** The browser keeps only the newest positions. @param position null deletes it */
export function withPosition(
  positions: RememberedPositions,
  id: number,
  position: RememberedPositions[string] | null,
): RememberedPositions {
  const { [id]: _, ...others } = positions;
  const entries = Object.entries(position ? { ...others, [id]: position } : others);
  const newest = entries.sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, PLAYER_LIMITS.positions);
  return Object.fromEntries(newest);
}

type OnAccount = { seconds: number; at: string } | null;

/**
 * Adopts the account's position if it is newer than the browser's.
 * @returns its seconds; null if the browser's position stays
 */
export function takeFromAccount(id: number, onAccount: OnAccount): number | null {
  const atMs = onAccount ? Date.parse(onAccount.at) : 0;
  const known = readPositions()[id];
  if (!onAccount || (known && known.atMs >= atMs)) return null;
  writePositions(
    withPosition(readPositions(), id, onAccount.seconds > 0 ? { seconds: onAccount.seconds, atMs } : null),
  );
  return onAccount.seconds;
}

/** Fetches the position from another device, for an episode's page. */
export async function askAccount(id: number): Promise<void> {
  if (!hasAccount() || isPromo(id)) return;
  takeFromAccount(id, await queryProcedure<OnAccount>('listening.position', { id }).catch(() => null));
}
