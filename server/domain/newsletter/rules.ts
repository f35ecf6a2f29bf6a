import type { AutomationTrigger, SkipReason } from '~/db/values/automations';
import type { DeliveryState, EditionAudience, EditionState } from '~/db/values/editions';
import { unescapeHtml } from '../../base/html';
import { later, readWallClock } from '../../base/time';
import { AUTOMATION_LIMITS, EDITING_LIMITS, SENDING_LIMITS } from '../../limits/newsletter';

/** The fields of the settings that may not be empty (spec §5; the header may be, docs/decisions/0356). */
export const NEWSLETTER_REQUIRED = ['name', 'category', 'language', 'senderName', 'senderEmail', 'footer'];

/** An edition that can still be changed and deleted. */
export const OPEN_STATES = ['draft', 'scheduled'] as const satisfies EditionState[];
export const isOpen = (state: EditionState): boolean => (OPEN_STATES as readonly EditionState[]).includes(state);

/** Whether an edition can be sent to those who still wait. */
export const mayResume = (state: EditionState): boolean => state === 'cancelled' || state === 'stopped';

/** Steps of automations are sent again and again, so their texts stay open. */
export const isEditable = ({ status, automationId }: { status: EditionState; automationId: number | null }): boolean =>
  isOpen(status) || automationId !== null;

/**
 * Whether an edition leaves the public archive with a change of its audience: what is written to some people is shown to
 * everyone only if its author says so afterwards.
 */
export const leavesArchive = (from: EditionAudience, to: EditionAudience | undefined): boolean =>
  from.group === 'everyone' && to !== undefined && to.group !== 'everyone';

/** Whether a scheduled edition is so late that its creator must be asked first, for example after an outage. */
export const isTooLate = (scheduledAt: Date, now: Date): boolean =>
  now.getTime() - scheduledAt.getTime() > EDITING_LIMITS.lateAfter;

/** When a deferred email is tried again; null after the last attempt. @param attempts made so far, at least one */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const delay = SENDING_LIMITS.retryDelays[attempts - 1];
  return delay === undefined ? null : later(now, delay);
}

/** The states of a recipient that a later report changes. A late delivery overwrites no bounce, and nothing a complaint. */
export const CHANGED_BY = {
  delivery: ['waiting', 'leased', 'failed', 'unknown'],
  bounce: ['waiting', 'leased', 'failed', 'unknown', 'sent'],
  complaint: ['waiting', 'leased', 'failed', 'unknown', 'sent', 'bounced'],
} as const satisfies Record<string, DeliveryState[]>;
export const REPORTED_STATE = { delivery: 'sent', bounce: 'bounced', complaint: 'complained' } as const;

/** Why emails came back or were not accepted. `unknown_address`: the mailbox does not exist. */
export const BOUNCE_REASONS = ['unknown_address', 'full', 'blocked', 'unreachable', 'other'] as const;
export type BounceReason = (typeof BOUNCE_REASONS)[number];

/** The reason in an enhanced status code (RFC 3463), such as `5.1.1`. */
export function bounceReason(status: string | null): BounceReason {
  const [, subject, detail] = status?.split('.') ?? [];
  if (subject === '1') return 'unknown_address';
  if (subject === '2') return detail === '2' || detail === '3' ? 'full' : 'unknown_address';
  if (subject === '7') return 'blocked';
  return subject === '4' ? 'unreachable' : 'other';
}

/**
 * Whether nobody reads emails at an address any more: the last ones came back over weeks, because the mailbox is full or its
 * server is not found. Blocked emails are about the sender or the text.
 * @param statuses of the last emails; null for one that did not come back, or came back without a reason
 */
export function isUnreachable(statuses: (string | null)[], since: Date, until: Date): boolean {
  const isAbout = (status: string | null) => ['full', 'unreachable', 'unknown_address'].includes(bounceReason(status));
  const isLong = until.getTime() - since.getTime() >= SENDING_LIMITS.softBouncedFor;
  return statuses.length >= SENDING_LIMITS.softBounces && statuses.every(isAbout) && isLong;
}

/** Counts by reason, the most frequent first. */
export function groupBounces(
  rows: { status: string | null; count: number }[],
): { reason: BounceReason; count: number }[] {
  const sum = (reason: BounceReason) =>
    rows.filter(({ status }) => bounceReason(status) === reason).reduce((total, { count }) => total + count, 0);
  return BOUNCE_REASONS.map((reason) => ({ reason, count: sum(reason) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** The text of an edition's content on one line. */
export const plainText = (html: string): string =>
  unescapeHtml(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** How many words the second text has more than the first, and how many less; moved words count as neither. */
export function wordChange(from: string, to: string): { added: number; removed: number } {
  const counts = new Map<string, number>();
  for (const word of to.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of from.split(' ')) counts.set(word, (counts.get(word) ?? 0) - 1);
  counts.delete('');
  const changes = [...counts.values()];
  const sum = (sign: 1 | -1) => changes.reduce((total, change) => total + Math.max(0, sign * change), 0);
  return { added: sum(1), removed: sum(-1) };
}

export type Tally = Record<DeliveryState, number>;

/** How many emails of an edition have left, of those that were to. */
export function sentPart(tally: Tally): { done: number; of: number } {
  const of = Object.values(tally).reduce((total, count) => total + count, 0);
  return { done: of - tally.waiting - tally.leased, of };
}

/**
 * Whether sending stops: too many of the first results are hard bounces or complaints, so that the list is bad and the
 * rest would harm the reputation of everybody who sends from here. People complain hours later, so their complaints count
 * as long as the edition is being sent. @param hasMore whether there are results after these
 */
export function mustStop({ sent, bounced, complained }: Watched, hasMore: boolean): boolean {
  const settled = sent + bounced + complained;
  if (settled < SENDING_LIMITS.leastWatched) return false;
  const isBad = bounced * 100 >= settled * SENDING_LIMITS.bouncedPercent;
  return (isBad && !hasMore) || complained * 1000 >= settled * SENDING_LIMITS.complainedPerMille;
}
type Watched = Pick<Tally, 'sent' | 'bounced' | 'complained'>;

/**
 * The moment of a datetime-local field in a zone; null for other texts. A time that clocks skip is the one after the
 * change, and the first of two equal ones is meant.
 */
export function readSendTime(local: string, zone: string): Date | null {
  const read = readWallClock(local, zone);
  if (!read) return null;
  if (read.kind === 'once') return read.at;
  return read.kind === 'repeated' ? read.earlier : read.later;
}

/** The drafts that an automation can begin with, by the event that they are for. */
export const AUTOMATION_STARTS = ['welcome', 'thanks', 'farewell'] as const;
export type AutomationStart = (typeof AUTOMATION_STARTS)[number];
export const STARTS: Record<AutomationStart, { trigger: AutomationTrigger; delays: readonly number[] }> = {
  welcome: { trigger: 'sign_up', delays: [0, 3 * 24, 7 * 24] },
  thanks: { trigger: 'purchase', delays: [0, 7 * 24] },
  farewell: { trigger: 'cancellation', delays: [24] },
};

/**
 * What decides about an email of a step. `mayGet`: the contact is active, and their address is not suppressed. `hasLeft`:
 * they have left the list since they were enrolled, and come back. `keepsShow`: they have paid for the show, and neither
 * cancelled nor returned it. `isOnHold`: their subscription is overdue or paused, so nobody knows yet whether it goes on.
 */
export type StepFacts = {
  mayGet: boolean;
  hasLeft: boolean;
  trigger: AutomationTrigger;
  keepsShow: boolean;
  isOnHold: boolean;
  dueAt: Date;
};

/** Whether an email waits: thanks would be out of place now, and may be welcome again soon. */
export const mustWait = ({ mayGet, hasLeft, trigger, keepsShow, isOnHold }: StepFacts): boolean =>
  mayGet && !hasLeft && trigger === 'purchase' && isOnHold && !keepsShow;

/** Why an email of a step is not sent now; null if it is. The plan's limit is checked afterwards. */
export function whySkipped({ mayGet, hasLeft, trigger, keepsShow, dueAt }: StepFacts, now: Date): SkipReason | null {
  if (!mayGet || hasLeft) return 'left';
  if (!stillHolds(trigger, keepsShow)) return 'ended';
  return now.getTime() - dueAt.getTime() > AUTOMATION_LIMITS.lateAfter ? 'late' : null;
}

/** Thanks are for those who still pay, and the question why somebody has left for those who do not. */
const stillHolds = (trigger: AutomationTrigger, keepsShow: boolean): boolean =>
  trigger === 'sign_up' || (trigger === 'purchase') === keepsShow;

/**
 * Why a link may not work. `unclear`: the site answers, but does not show the page to programs, as many do. `unchecked`:
 * the time was over before.
 */
export type LinkFault =
  | 'missing'
  | 'no_host'
  | 'no_answer'
  | 'failing'
  | 'unsafe'
  | 'not_public'
  | 'circular'
  | 'unclear'
  | 'unchecked';

/** @param status the last one, after all redirects. Null: the link works. */
export function judgeStatus(status: number): LinkFault | null {
  if (status < 400) return null;
  if (status === 404 || status === 410) return 'missing';
  return status >= 500 && status < 600 ? 'failing' : 'unclear';
}

/** @param code of an error of the fetcher */
export const judgeFetch = (code: string): LinkFault => FETCH_FAULTS.get(code) ?? 'unclear';

const FETCH_FAULTS = new Map<string, LinkFault>([
  ['fetch.name_unknown', 'no_host'],
  ['fetch.timed_out', 'no_answer'],
  ['fetch.connection_failed', 'no_answer'],
  ['fetch.certificate_invalid', 'unsafe'],
  ['fetch.address_invalid', 'not_public'],
  ['fetch.address_private', 'not_public'],
  ['fetch.port_forbidden', 'not_public'],
  ['fetch.too_many_redirects', 'circular'],
]);
