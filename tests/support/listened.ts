import { earlier, SECONDS } from '~/server/base/time';
import { issueTicket } from '~/server/domain/listening/tickets';
import type { Runtime } from '~/server/runtime/runtime';

/** A listen's input, with the ticket of a player that started 61 seconds ago. */
export function listened<Heard extends { id: number; session: string }>({ vault, now }: Runtime, heard: Heard) {
  const ticket = issueTicket({ vault, now: () => earlier(now(), SECONDS(61)) }, heard);
  return { ...heard, seconds: 61, ticket };
}

/** A report of the first minute, with the same ticket. */
export function heard<Heard extends { id: number; session: string }>(runtime: Runtime, of: Heard) {
  const { seconds: _, ...report } = listened(runtime, of);
  return { ...report, heard: [[0, '1']] };
}
