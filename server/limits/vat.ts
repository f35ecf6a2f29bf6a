import { DAYS, HOURS } from '../base/time';
/**
 * Numbers that the register (VIES) could not be asked about are asked again soon, answers when they are old. `returnRows`: of
 * a quarter's return, more than there can be.
 */
export const VAT_LIMITS = {
  recheckAfter: HOURS(3),
  answerValidFor: DAYS(90),
  recheckedAtOnce: 200,
  returnRows: 5000,
} as const;
