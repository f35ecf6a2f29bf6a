import { DAYS } from '../time';

/** Messages of the contact form, in characters. `kept`: afterwards they are deleted. */
export const CONTACT_LIMITS = {
  subjectLength: 150,
  textLength: 5000,
  keptMonths: 12,
  kept: DAYS(365),
  /** Messages from one address within this time belong to one conversation. */
  thread: DAYS(30),
  /** To one operator: so many from one address in a day. */
  perAddress: 5,
  window: DAYS(1),
} as const;
