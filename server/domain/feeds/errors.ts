import { defineError } from '../../base/errors';

/** The link expired or was forged, or its show can't be followed any more: unknown visitors do not learn which. */
export const followLinkExpired = defineError('feed.follow_link_expired', 'expired');
/** The address is unknown, was replaced, or has no access: people who guess addresses do not learn which. */
export const feedNotFound = defineError('feed.not_found', 'not_found');
/** Directories reject a feed without episodes, and apps would show a show that nothing can be heard of. */
export const feedEmpty = defineError('feed.empty', 'not_found');
/** The feed that a creator makes for a subscriber; each subscriber has at most one. */
export const subscriberFeedNotFound = defineError('feed.not_made', 'not_found');
export const subscriberFeedExists = defineError('feed.made_already', 'conflict');
export const subscriberFeedChanged = defineError('feed.replaced_meanwhile', 'conflict');
/** The person's access has ended, so a feed would only say that. */
export const noAccessForFeed = defineError('feed.no_access', 'conflict');
