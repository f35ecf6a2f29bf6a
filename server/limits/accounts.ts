import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

export const ACCOUNT_LIMITS = {
  nameLength: 100,
  emailLength: 254,
  passwordMin: 8,
  passwordMax: 200,
  ageMin: 13,
  /** Minimum age for a creator page or a paid membership without a parent's permission (spec §5). */
  ageAdult: 18,
  oldestBirthDate: '1900-01-01',
  descriptionLength: 500,
} as const;

/** Texts on invoices, and the address of payouts. */
export const BILLING_LIMITS = {
  nameLength: 100,
  streetLength: 120,
  cityLength: 80,
  postalCodeLength: 16,
  taxNumberLength: 30,
  /** The longest IBAN has 34 characters, and is often written in groups of four. */
  ibanLength: 50,
} as const;

/** `keptFor`: how long a web process keeps a session in memory, for at most `kept` sessions. */
export const SESSION_LIMITS = {
  lifetime: DAYS(40),
  days: 40,
  keptFor: SECONDS(5),
  kept: 5000,
  userAgentLength: 500,
  listed: 100,
  touchedEvery: HOURS(1),
  /** The cookie that has the storage of the browser cleared; long enough to load the login page. */
  signedOutFor: MINUTES(1),
} as const;

/** A browser is recognized at its next login for this long. */
export const DEVICE_LIMITS = { lifetime: DAYS(365) } as const;

/** How long the links in emails work. */
export const EMAIL_LINK_LIFETIMES = {
  verify_email: DAYS(2),
  reset_password: HOURS(1),
  confirm_new_email: DAYS(1),
  confirm_old_email: DAYS(1),
  undo_deletion: DAYS(1),
} as const;

/**
 * Six digits that verify an address. `attempts` are wrong codes until the code ends; `perDay` are those of an account,
 * over all of its codes.
 */
export const EMAIL_CODE_LIMITS = {
  digits: 6,
  lifetime: MINUTES(30),
  minutes: 30,
  attempts: 5,
  perDay: 15,
  kept: DAYS(1),
} as const;

/** Emails with a link that any visitor can request: `perWindow` to one address. */
export const EMAIL_LINK_LIMITS = { perWindow: 3, window: DAYS(1) } as const;

/** Keys, and apps, that the email about a changed password names. */
export const WORKING_ACCESS_LIMITS = { named: 20 } as const;

/** How long a visitor's choice about tracking is kept before we ask again. */
export const CONSENT_LIMITS = { lifetime: DAYS(180) } as const;
/**
 * `attempts`: wrong codes until a login has to start again. `confirmedFor`: how long a session may change the payout
 * address, request payouts and change second factors after its user has proven a second factor.
 */
export const SECOND_FACTOR_LIMITS = {
  pendingFor: MINUTES(10),
  attempts: 5,
  confirmedFor: MINUTES(10),
  setUpFor: DAYS(1),
  codeLength: 40,
  recoveryCodes: 10,
} as const;

export const PASSKEY_LIMITS = {
  perUser: 20,
  nameLength: 60,
  challengeFor: MINUTES(5),
  idLength: 1400,
  responseLength: 20_000,
} as const;

/**
 * Log-ins with Google and Facebook: the time to answer at the provider, the time to complete the sign-up or the
 * connection afterwards, and the lifetime of the cookie that ties these steps to one browser.
 */
export const IDENTITY_LIMITS = {
  attempt: MINUTES(10),
  pending: MINUTES(30),
  browser: HOURS(1),
  nextLength: 2000,
  answerLength: 8000,
} as const;

/**
 * Accounts are deleted within 24 hours (spec §9); the last hour is for attempts that fail. `recoveredAfter`: a deletion
 * that is overdue by this much is tried again, at most `recovered` at a time.
 */
export const DELETION_LIMITS = {
  promisedHours: 24,
  delay: HOURS(23),
  recoveredAfter: MINUTES(10),
  recovered: 100,
} as const;

/**
 * `lifetime`: how long the link works. `patience`: an export that takes longer has failed. `kept`: how long we remember
 * that there was an export. `page`: rows that are read at once.
 */
export const EXPORT_LIMITS = {
  lifetime: DAYS(1),
  patience: HOURS(12),
  shown: DAYS(2),
  kept: DAYS(30),
  page: 500,
  swept: 100,
} as const;

/** Length of the affiliate and the parts of a campaign, in characters; kept as long as the other cookies (spec §9). */
export const SOURCE_LIMITS = { length: 100, lifetime: DAYS(40) } as const;
