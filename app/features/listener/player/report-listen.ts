import { mutateProcedure, ProcedureError } from '~/app/lib/procedures';
import { listenSession } from './player-storage';
import { retryDelay } from './recovery';
import { forgetStarted } from './started-episode';

/** `renew` fetches another ticket if it is missing or has expired. */
type Listen = { id: number; ticket: string | null; renew: (id: number) => Promise<string | null> };

/** Retries are safe: the server counts a session's listen once. */
export async function reportListen(listen: Listen, attempt = 0): Promise<void> {
  const { id, renew } = listen;
  let valid = listen.ticket;
  try {
    valid ??= await renew(id);
    if (!valid) throw new TypeError('no ticket yet');
    await mutateProcedure('listening.record', { id, session: listenSession(), ticket: valid });
  } catch (error) {
    const isExpired = error instanceof ProcedureError && error.code === 'listening.ticket_invalid';
    if (isExpired) forgetStarted();
    const wait = retryListen(error, attempt);
    if (wait !== null)
      setTimeout(() => void reportListen({ ...listen, ticket: isExpired ? null : valid }, attempt + 1), wait);
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
