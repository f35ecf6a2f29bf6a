import { ACCOUNT_LIMITS } from '../../../limits/accounts';
import { birthDateRequired, parentalPermissionRequired, tooYoung } from './errors';

/** Whole years between a birth date (`YYYY-MM-DD`) and `now`, in UTC. */
export function ageAt(birthDate: string, now: Date): number {
  const [year = 0, month = 0, day = 0] = birthDate.split('-').map(Number);
  const hadBirthday = now.getUTCMonth() + 1 > month || (now.getUTCMonth() + 1 === month && now.getUTCDate() >= day);
  return now.getUTCFullYear() - year - (hadBirthday ? 0 : 1);
}

/** @throws account.too_young below 13 years (spec §5) */
export function assertOldEnough(birthDate: string | undefined, now: Date): void {
  if (birthDate !== undefined && ageAt(birthDate, now) < ACCOUNT_LIMITS.ageMin) throw tooYoung();
}

export type KnownAge = { birthDate: string | null; parentalPermissionAt: Date | null };

/** The default name of an account: the local part of its address. */
export const nameInAddress = (email: string): string => email.slice(0, email.indexOf('@'));

export const hasToldName = ({ name, email }: { name: string; email: string }): boolean => name !== nameInAddress(email);

/**
 * Whether a person with this birth date needs a parent's permission for a creator page or a paid membership (spec §5).
 */
export function isMinor(birthDate: string, now: Date): boolean {
  return ageAt(birthDate, now) < ACCOUNT_LIMITS.ageAdult;
}

/**
 * Checks whether a user may have a creator page or join a paid membership (spec §5).
 * @throws account.birth_date_required, account.too_young, account.parental_permission_required
 */
export function assertAdultOrPermitted({ birthDate, parentalPermissionAt }: KnownAge, now: Date): void {
  if (birthDate === null) throw birthDateRequired();
  assertOldEnough(birthDate, now);
  if (isMinor(birthDate, now) && parentalPermissionAt === null) throw parentalPermissionRequired();
}

/** Invisible characters, which would split the name of a scheme or a domain. */
const INVISIBLE = /\p{Cf}/gu;
/** Top-level domains that occur in links without a scheme; others are more often a missing space after a full stop. */
const DOMAIN_ENDINGS =
  'com|net|org|info|biz|edu|gov|io|fm|me|tv|co|app|dev|shop|store|online|site|xyz|link|club|live|page|blog|audio|' +
  'es|mx|ar|cl|uy|pe|eu|uk|fr|de|it|pt|br|us|ca|cat|gal|eus|ly|to|gl|be|ch|nl';
const LINKS = [
  /[a-z][a-z\d+.-]*:\/\//i,
  /\b(?:mailto|tel|javascript|data|vbscript|sms):\S/i,
  /\bwww\d?\.\S/i,
  /<a\b|\]\(|\[url/i,
  new RegExp(`[\\p{L}\\d](?:[\\p{L}\\d-]*[\\p{L}\\d])?\\.(?:${DOMAIN_ENDINGS})(?![\\p{L}\\d-])`, 'iu'),
  // any other domain with a path, such as `bücher.рф/abc`
  /[\p{L}\d-]+\.\p{L}{2,}\/\S/u,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?=[:/])/,
];

/**
 * Whether a text contains a link, as readers see it: also in full-width letters, and with invisible characters in
 * between.
 */
export function containsLink(text: string): boolean {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  return LINKS.some((link) => link.test(plain));
}

export const PROFILE_REQUIRED = ['name', 'country', 'language'] as const;

/** Whether the first-login dialog must still be answered (spec §5). */
export function needsFirstLogin({ country, language }: { country: string | null; language: string | null }): boolean {
  return country === null || language === null;
}

/** The steps of the start wizard that have a screen, in their order (spec §2.4, docs/decisions/0139). */
export const START_STEPS = ['reason', 'page', 'about', 'product', 'share'] as const;
export type StartStep = (typeof START_STEPS)[number];
export type StartState = 'done' | 'open';

export type StartFacts = {
  reason: string | null;
  hasPage: boolean;
  hasAbout: boolean;
  hasProduct: boolean;
  isShared: boolean;
};

/** The creator's progress. The wizard ends when the page is shared, even if other steps are open. */
export function startProgress(facts: StartFacts) {
  const isDone: Record<StartStep, boolean> = {
    // a creator page says why, too
    reason: facts.reason !== null || facts.hasPage,
    page: facts.hasPage,
    about: facts.hasAbout,
    product: facts.hasProduct,
    share: facts.isShared,
  };
  const stateOf = (step: StartStep): StartState => (isDone[step] ? 'done' : 'open');
  const steps = START_STEPS.map((step) => ({ step, state: stateOf(step) }));
  const next = steps.find(({ state }) => state === 'open')?.step ?? null;
  // the wizard does not urge listeners to publish
  const isOver = facts.isShared || (facts.reason === 'listen' && !facts.hasPage);
  return { steps, next, isOver, isListener: isListener(facts), reason: facts.reason };
}

/** Whether an account is only for listening, as far as it has told us: its home is the feed, not the studio. */
const isListener = ({ reason, hasPage }: StartFacts) => !hasPage && (reason === null || reason === 'listen');
