import { defineError } from '../../base/errors';

export const notAnAffiliate = defineError('affiliate.not_joined', 'conflict');
export const affiliateCodeTaken = defineError('affiliate.code_taken', 'invalid', { field: 'linkCode' });
export const linkLimitReached = defineError('affiliate.limit_reached', 'limit_reached');
