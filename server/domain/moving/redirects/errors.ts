import { defineError } from '../../../base/errors';

export const ownFeed = defineError('moving.own_feed', 'invalid', { field: 'url' });
/** The new address redirects back to us. */
export const redirectLoop = defineError('moving.redirect_loop', 'invalid', { field: 'url' });
/** A day has passed, or the feed no longer redirects. */
export const redirectIsFinal = defineError('moving.redirect_final', 'conflict');
export const undoLinkExpired = defineError('moving.undo_link_expired', 'expired');
