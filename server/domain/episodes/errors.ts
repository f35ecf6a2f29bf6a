import { defineError } from '../../errors';

export const episodeNotFound = defineError('episode.not_found', 'not_found');
export const publishTimeInPast = defineError('episode.publish_time_in_past', 'invalid', { field: 'releaseDate' });
export const publicExceedsPrivate = defineError('episode.public_exceeds_private', 'invalid', { field: 'type' });
export const slugTaken = defineError('episode.slug_taken', 'invalid', { field: 'slug' });
export const alreadyChanged = defineError('episode.already_changed', 'conflict');
export const notPlayable = defineError('episode.subscription_required', 'forbidden');
