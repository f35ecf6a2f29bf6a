import { DAYS, HOURS } from '../base/time';
/**
 * Numbers that could not be checked in the register (VIES) are checked again soon, and answers when they are old.
 * `returnRows`: maximum rows of a quarter's return, more than there can be. `warnFromShare`: the part of a threshold from
 * which the operator is warned. `euThreshold`: in euros, of sales to consumers in other countries of the Union (Art. 59c
 * of Directive 2006/112/EC). `ruleValidFor`: the age at which a rule of another country must be read again.
 */
export const VAT_LIMITS = {
  recheckAfter: HOURS(3),
  answerValidFor: DAYS(90),
  recheckedAtOnce: 200,
  returnRows: 5000,
  warnFromShare: 0.8,
  euThreshold: 10_000,
  ruleValidFor: DAYS(730),
} as const;
