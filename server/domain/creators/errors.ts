import { defineError } from '../../base/errors';

export const creatorNotFound = defineError('creator.not_found', 'not_found');
export const domainTaken = defineError('creator.domain_taken', 'invalid', { field: 'domain' });
export const tooManyDomains = defineError('creator.too_many_domains', 'invalid', { field: 'domain' });
export const alreadyClaimed = defineError('creator.already_claimed', 'conflict');
export const creatorGone = defineError('creator.deleted', 'expired');
/** An operator has stopped the creator's publishing. */
export const publishingStopped = defineError('creator.publishing_stopped', 'forbidden');
