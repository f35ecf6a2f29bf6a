import { DAYS, SECONDS } from '../base/time';

/**
 * `exported`: rows in one part of a file. `payments`: the latest payments on the page of one person. `invitedPerDay`:
 * emails. `batch`: people in one call, and `batchPause` until one can follow another that is running. `newIn`: the
 * time in which batches reach as many people who are new to the creator as the plan has room for, between `newLeast` and
 * `newMost`. `note`: characters of the team's note about a person.
 */
export const BUYER_LIMITS = {
  exported: 2000,
  payments: 100,
  invitedPerDay: 100,
  batch: 1000,
  batchPause: SECONDS(2),
  newIn: DAYS(1),
  newLeast: 1000,
  newMost: 10_000,
  note: 2000,
} as const;

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
