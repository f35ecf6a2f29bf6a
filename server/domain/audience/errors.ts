import { defineError } from '../../base/errors';

export const newsletterNotFound = defineError('audience.newsletter_not_found', 'not_found');
export const joinLinkExpired = defineError('audience.join_link_expired', 'expired');
export const leaveLinkInvalid = defineError('audience.leave_link_invalid', 'invalid');
