import { DAYS } from '../base/time';

/**
 * `exported`: rows in one part of a file. `payments`: the latest payments on the page of one person. `invitedPerDay`:
 * emails. `note`: characters of the team's note about a person.
 */
export const BUYER_LIMITS = { exported: 2000, payments: 100, invitedPerDay: 100, note: 2000 } as const;

/**
 * Messages to one person: characters, messages of one creator in `window` (`perPerson`: to one person), and rows
 * shown. `stopped`: creators on the list of a person who wants no messages from them.
 */
export const MESSAGE_LIMITS = {
  subject: 120,
  text: 4000,
  window: DAYS(1),
  perWindow: 50,
  perPerson: 2,
  listed: 20,
  stopped: 200,
} as const;
