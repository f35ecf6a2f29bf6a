import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { KILOBYTES } from './sizes';

/** Spec §5. Lengths in characters, the logo's side in pixels. */
export const PUBLICATION_LIMITS = {
  nameLength: 50,
  descriptionLength: 250,
  senderLength: 50,
  headerLength: 1000,
  footerLength: 1000,
  subjectLength: 150,
  welcomeLength: 10_000,
  logoMinPixels: 256,
} as const;

/** Recommended newsletters: `newsletters` of one creator, `found` by one search. */
export const RECOMMENDATION_LIMITS = { newsletters: 5, found: 10, searchLength: 200 } as const;

/** The link that verifies the address for answers. `perAccount`: emails with it in a window. */
export const SENDER_LIMITS = { linkLifetime: DAYS(2), perAccount: 10, window: DAYS(1) } as const;

/**
 * `editions`: of one creator. `versions`: kept of one edition, at most one in
 * `versionEvery`. `released`: pictures that one job looks for. `lateAfter`: an edition that is later than that is not sent without asking.
 */
export const EDITING_LIMITS = {
  preheaderLength: 100,
  descriptionLength: 500,
  tags: 10,
  tagLength: 30,
  slugLength: 100,
  seoTitleLength: 70,
  seoDescriptionLength: 200,
  editions: 5000,
  versions: 50,
  shownVersions: 20,
  versionEvery: MINUTES(5),
  pageSize: 20,
  archivePage: 20,
  shows: 100,
  shownLinks: 100,
  offeredEpisodes: 50,
  testRecipients: 5,
  released: 100,
  scheduleAhead: DAYS(365),
  lateAfter: HOURS(6),
} as const;

/**
 * `batch`: recipients that are leased at a time, and `furtherBatch` after the first results. `lease`: until another worker may send them,
 * longer than a mail server may take to answer. `turn`: how
 * long one job sends. `unsentDelay`: before an email that did not reach the server is tried again. `leases`: of one email. `recoverAfter`: an edition without a new result gets another job. `attempts`: of one email,
 * with `retryDelays` between them. `watched`: the first results of an edition, which stop it if more than
 * `bouncedPercent` of them bounced or more than `complainedPerMille` complained. `softBounces`: of one contact in a row, over
 * `softBouncedFor` at least, end the emails to it.
 */
export const SENDING_LIMITS = {
  batch: 500,
  furtherBatch: 1000,
  lease: MINUTES(30),
  turn: MINUTES(5),
  unsentDelay: SECONDS(30),
  leases: 12,
  recoverAfter: MINUTES(10),
  retryDelays: [MINUTES(1), MINUTES(5), MINUTES(15), HOURS(1), HOURS(4), HOURS(12)],
  watched: 2000,
  bouncedPercent: 5,
  complainedPerMille: 3,
  leastWatched: 100,
  softBounces: 5,
  softBouncedFor: DAYS(14),
} as const;

/**
 * What arrives about sent emails. `batch`: events that are recorded in one transaction. `tokenKept`: how long a token of
 * a report is remembered, longer than its signature is believed. `certificates`: of Amazon, fetched in
 * `certificateWindow` at most; `certificateBytes`: of one. `messages`: of the mailbox, read in one turn; `messageBytes`: of
 * one. `dmarcReports`: about one domain in a day, `dmarcPerReporter` of them by one reporter; `dmarcSources`: shown of the `dmarcPeriod`.
 */
export const INBOUND_LIMITS = {
  batch: 1000,
  tokenKept: DAYS(2),
  certificates: 10,
  certificateBytes: 16 * KILOBYTES,
  certificateWindow: MINUTES(1),
  certificateKept: HOURS(12),
  messages: 200,
  messageBytes: 1024 * KILOBYTES,
  dmarcReports: 500,
  dmarcPerReporter: 20,
  dmarcKept: DAYS(180),
  dmarcSources: 10,
  dmarcPeriod: DAYS(30),
} as const;

/**
 * Links of an edition that are checked together: `links` at most, `atOnce` of them at a time, each request answered
 * within `answer`, all of it within `whole`, which a visitor waits for.
 */
export const LINK_LIMITS = { links: 50, atOnce: 8, answer: SECONDS(5), whole: SECONDS(20) } as const;

/**
 * `automations`: of one creator. `delayHours`: from the event to the last email. `lateAfter`: an email of a step that is
 * later than that is not sent any more. `due`: steps that one job finds. `moved`: people who wait
 * for a step, and get another time in one transaction. `movedAgain`: when those are moved that somebody else had locked. `holdCheck`: how long thanks for a subscription
 * that is overdue or paused wait before it is looked at again.
 */
export const AUTOMATION_LIMITS = {
  automations: 20,
  steps: 5,
  nameLength: 80,
  delayHours: 365 * 24,
  lateAfter: DAYS(2),
  due: 500,
  moved: 5000,
  movedAgain: MINUTES(1),
  holdCheck: DAYS(1),
} as const;

/**
 * Domains of creators. `domains`: of one creator. `domainLength` leaves room for the names of records below. `shownTexts`,
 * `shownLength`: of what DNS has. `checkEvery`, `pendingFor`: how often a domain is checked without being asked, and how
 * long after the last change if it is not verified. `batch`: of one run. `warmUpKept`: how long the warm-up of a removed one is
 * remembered.
 */
export const DOMAIN_LIMITS = {
  domains: 3,
  domainLength: 180,
  localPartLength: 64,
  shownTexts: 5,
  shownLength: 500,
  checkEvery: DAYS(1),
  pendingFor: DAYS(14),
  warmUpKept: DAYS(30),
  batch: 500,
} as const;

/**
 * The first days of a domain that receivers don't know. From 100 emails on, a quarter more each day reaches the largest list
 * (500,000) on day 40 of 42 (docs/decisions/0351).
 */
export const WARM_UP = { days: 42, firstDay: 100, growth: 1.25 } as const;
