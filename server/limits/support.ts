import { DAYS } from '../base/time';

/** Messages of the contact form, in characters. `kept`: how long messages are kept. */
export const CONTACT_LIMITS = {
  subjectLength: 150,
  textLength: 5000,
  keptMonths: 12,
  kept: DAYS(365),
  /** Messages from one address within this time belong to one conversation. */
  thread: DAYS(30),
  /** Messages to one operator from one address in a day. */
  perAddress: 5,
  window: DAYS(1),
} as const;

/**
 * Reports of abuse. `emails`: emails about one topic to one address in a day, because visitors can type any address.
 * `kept`: how long a report is kept after the decision.
 */
export const REPORT_LIMITS = {
  addressLength: 2000,
  textLength: 5000,
  answerLength: 1000,
  emails: 3,
  toldAtOnce: 500,
  window: DAYS(1),
  keptMonths: 12,
  kept: DAYS(365),
  listed: 100,
} as const;
