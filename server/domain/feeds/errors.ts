import { defineError } from '../../base/errors';

/** Expired, forged, or its show can't be followed any more: an unknown visitor does not learn which. */
export const followLinkExpired = defineError('feed.follow_link_expired', 'expired');
/** Unknown, replaced, or without access: who guesses addresses does not learn which. */
export const feedNotFound = defineError('feed.not_found', 'not_found');
