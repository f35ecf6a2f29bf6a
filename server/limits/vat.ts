import { DAYS, HOURS } from '../base/time';
/**
 * Numbers that could not be checked in the register (VIES) are checked again soon, and answers when they are old.
 * `returnRows`: maximum rows of a quarter's return, more than there can be.
 */
export const VAT_LIMITS = {
  recheckAfter: HOURS(3),
  answerValidFor: DAYS(90),
  recheckedAtOnce: 200,
  returnRows: 5000,
} as const;
