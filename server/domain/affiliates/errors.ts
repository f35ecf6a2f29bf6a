import { defineError } from '../../base/errors';

export const notAnAffiliate = defineError('affiliate.not_joined', 'conflict');
export const affiliateCodeTaken = defineError('affiliate.code_taken', 'invalid', { field: 'linkCode' });
export const linkLimitReached = defineError('affiliate.limit_reached', 'limit_reached');
export const referralNotFound = defineError('affiliate.referral_not_found', 'not_found');
export const referralIsRefused = defineError('affiliate.referral_refused', 'conflict');
export const referralNotRefused = defineError('affiliate.referral_not_refused', 'conflict');
