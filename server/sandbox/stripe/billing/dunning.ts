import type { Work } from '../engine/account-work';
import { readSetting, writeSetting } from '../engine/settings';
import type { Sql } from '../engine/store';
import { refused } from '../wire/faults';

/** When a failed renewal is tried again (days after the first attempt), and what becomes of a subscription in the end. */
export type Dunning = { days: number[]; finally: 'cancel' | 'unpaid' | 'past_due' };
const DUNNING: Dunning = { days: [1, 3, 5, 7], finally: 'cancel' };
const ENDS: readonly string[] = ['cancel', 'unpaid', 'past_due'] satisfies Dunning['finally'][];

export const dunningOf = (work: Work): Promise<Dunning> => readSetting(work.sql, 'dunning', DUNNING);

/** What at Stripe the account's owner sets in the Dashboard ("Manage failed payments"); for all processes. */
export async function setDunning(sql: Sql, change: Partial<Dunning>): Promise<Dunning> {
  const { days, finally: end } = { ...(await readSetting(sql, 'dunning', DUNNING)), ...change };
  if (!ENDS.includes(end)) throw refused(`Invalid finally: must be one of ${ENDS.join(', ')}`, { param: 'finally' });
  if (!days.every((day, i) => Number.isInteger(day) && day > (days[i - 1] ?? 0)))
    throw refused('Invalid days: must be whole days, each later than the one before', { param: 'days' });
  await writeSetting(sql, 'dunning', { days, finally: end });
  return { days, finally: end };
}
