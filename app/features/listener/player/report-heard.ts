import { mutateProcedure, ProcedureError } from '~/app/lib/procedures';
import { HEARD_LIMITS } from '~/server/limits/listening';
import { currentState } from './engine';
import { episodePosition, episodeTime } from './episode-position';
import { type Heard, hear, nothingHeard, toHours } from './heard-minutes';
import { listenSession } from './player-storage';
import { forgetStarted } from './started-episode';

/**
 * Reports the minutes that were heard, at most once a minute, and at a pause, at the end and when the page is left. The
 * server counts each minute once, so a repeated report is harmless.
 */
let heard: Heard | null = null;
let lastReportMs = 0;
/** The ticket of the play call, and how to get another one. */
let ticket: string | null = null;
let renew: (id: number) => Promise<string | null> = () => Promise.resolve(null);

const EVERY_MS = 60_000;

addEventListener('pagehide', () => void reportHeard());

/** One second of playback. */
export function hearSecond(id: number, valid: string | null, renewTicket: typeof renew): void {
  if (heard?.id !== id) {
    heard = nothingHeard(id);
    lastReportMs = Date.now();
  }
  [ticket, renew] = [valid, renewTicket];
  hear(heard, episodePosition(), episodeTime(currentState().durationSeconds));
  if (Date.now() - lastReportMs >= EVERY_MS) void reportHeard();
}

export async function reportHeard(): Promise<void> {
  const current = heard;
  if (!current || current.waiting.size === 0) return;
  lastReportMs = Date.now();
  const hours = toHours(current.waiting).slice(0, HEARD_LIMITS.hours);
  const sent = [...current.waiting].filter((minute) => hours.some(([hour]) => hour === Math.floor(minute / 60)));
  for (const minute of sent) current.waiting.delete(minute);
  try {
    const valid = ticket ?? (await renew(current.id));
    if (!valid) throw new TypeError('no ticket yet');
    const report = { id: current.id, session: listenSession(), ticket: valid, heard: hours };
    await mutateProcedure('listening.countMinutes', report);
  } catch (error) {
    if (isFinal(error)) return;
    // they are part of the next report
    for (const minute of sent) current.waiting.add(minute);
  }
}

/** A ticket that has expired is replaced, and too many minutes are possible later. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ProcedureError)) return false;
  if (error.code === 'listening.ticket_invalid') {
    forgetStarted();
    void renew(heard?.id ?? 0);
    return false;
  }
  return error.status < 500 && error.status !== 429 && error.code !== 'listening.too_many_minutes';
}
