import { randomUUID } from 'node:crypto';
import { studioNotices } from '~/db/schema/studio-notices';
import { DAYS, later } from '~/server/base/time';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

const row = () => ({ id: 1 });
const reason = () => ({ id: 1, reason: 'Spam' });
const uuid = () => ({ id: randomUUID() });
const one = () => ({ id: 1, kind: 'rss' });

const INPUTS: Record<string, () => Input> = {
  user: row,
  verifyUser: row,
  endSessions: row,
  sendPasswordLink: row,
  suspendUser: reason,
  unsuspendUser: row,
  creator: row,
  stopPublishing: reason,
  allowPublishing: row,
  retryJob: uuid,
  cancelJob: uuid,
  retryQueue: () => ({ queue: 'episodes.go-live' }),
  retryImport: one,
  cancelImport: one,
  resendEmail: uuid,
  setSwitch: () => ({ name: 'imports', percent: 100 }),
  publishAnnouncement: () => ({ textEn: 'A', textEs: 'A', until: '2026-03-09T09:00' }),
  withdrawAnnouncement: row,
  dismissReport: () => ({ id: 1, answer: 'No' }),
  featureShow: () => ({ id: 1, position: 1 }),
  unfeatureShow: row,
  takeDown: () => ({ target: 'show', id: 1, ground: 'law', reason: 'Copied' }),
  restoreTaken: () => ({ target: 'show', id: 1 }),
  approvePayout: uuid,
  markPayoutPaid: uuid,
  reversePayout: () => ({ ...uuid(), reason: 'Closed' }),
  transferFile: () => ({ file: 'a' }),
};

/** The rows of the authorization matrix about the operators' console: the cast has no operator. */
export const consoleRows = Object.fromEntries(
  Object.entries(INPUTS).map(([name, input]) => [`console.${name}`, [['others', input]]]),
) as Record<string, [rule: Rule, input?: () => Input][]>;

/** Reads of the console, for any caller. */
export const CONSOLE_READS: Record<string, unknown[]> = Object.fromEntries(
  ['user', 'creator', 'transferFile'].map((name) => [`console.${name}`, [INPUTS[name]?.()]]),
);

/** The operators' announcements, which every user sees and can hide. */
export async function announcementRows({ db, now }: Runtime) {
  const times = { startsAt: now(), endsAt: later(now(), DAYS(1)) };
  const texts = { textEn: 'A', textEs: 'A', level: 'info', createdBy: 'test' } as const;
  const [notice] = await db
    .insert(studioNotices)
    .values({ ...texts, ...times })
    .returning();
  return {
    'announcements.dismiss': [['users', () => ({ id: notice!.id })]],
  } satisfies Record<string, [rule: Rule, input?: () => Input][]>;
}
