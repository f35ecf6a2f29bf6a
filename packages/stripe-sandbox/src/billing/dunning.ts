import type { Work } from '../engine/account-work';
import { readSetting, writeSetting } from '../engine/settings';
import type { Sql } from '../engine/store';
import { invalidRequest } from '../wire/faults';

/**
 * When failed renewals are retried (days after the first attempt), and the subscription's status after the last one.
 */
export type Dunning = { days: number[]; finally: 'cancel' | 'unpaid' | 'past_due' };
const DEFAULT_DUNNING: Dunning = { days: [1, 3, 5, 7], finally: 'cancel' };
const FINAL_STATES: readonly string[] = ['cancel', 'unpaid', 'past_due'] satisfies Dunning['finally'][];

export const readDunning = (work: Work): Promise<Dunning> => readSetting(work.sql, 'dunning', DEFAULT_DUNNING);

/** Replaces the Dashboard setting "Manage failed payments". It applies to all processes. */
export async function setDunning(sql: Sql, change: Partial<Dunning>): Promise<Dunning> {
  const { days, finally: end } = { ...(await readSetting(sql, 'dunning', DEFAULT_DUNNING)), ...change };
  if (!FINAL_STATES.includes(end))
    throw invalidRequest(`Invalid finally: must be one of ${FINAL_STATES.join(', ')}`, { param: 'finally' });
  if (!days.every((day, i) => Number.isInteger(day) && day > (days[i - 1] ?? 0)))
    throw invalidRequest('Invalid days: must be whole days, each later than the one before', { param: 'days' });
  await writeSetting(sql, 'dunning', { days, finally: end });
  return { days, finally: end };
}
