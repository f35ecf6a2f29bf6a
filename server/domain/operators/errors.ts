import { defineError } from '../../base/errors';

export const accountUnknown = defineError('operator.account_unknown', 'not_found');
/** Thrown by pages that only operators see. */
export const secondFactorNeeded = defineError('operator.second_factor_needed', 'forbidden');
