import { defineError } from '../../base/errors';

export const newsletterNotFound = defineError('audience.newsletter_not_found', 'not_found');
export const joinLinkExpired = defineError('audience.join_link_expired', 'expired');
export const leaveLinkInvalid = defineError('audience.leave_link_invalid', 'invalid');
export const contactNotFound = defineError('audience.contact_not_found', 'not_found');
export const contactExists = defineError('audience.contact_exists', 'conflict', { field: 'email' });
export const addressSuppressed = defineError('audience.address_suppressed', 'conflict', { field: 'email' });
export const tooManyTags = defineError('audience.too_many_tags', 'invalid', { field: 'tag' });
export const changeNotFound = defineError('audience.change_not_found', 'not_found');
export const segmentNotFound = defineError('audience.segment_not_found', 'not_found');
export const segmentExists = defineError('audience.segment_exists', 'conflict', { field: 'name' });
export const tooManySegments = defineError('audience.too_many_segments', 'invalid', { field: 'name' });
