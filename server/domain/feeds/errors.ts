import { defineError } from '../../base/errors';

/** The link expired or was forged, or its show can't be followed any more: unknown visitors do not learn which. */
export const followLinkExpired = defineError('feed.follow_link_expired', 'expired');
/** The address is unknown, was replaced, or has no access: people who guess addresses do not learn which. */
export const feedNotFound = defineError('feed.not_found', 'not_found');
/** Directories reject a feed without episodes, and apps would show a show that nothing can be heard of. */
export const feedEmpty = defineError('feed.empty', 'not_found');
