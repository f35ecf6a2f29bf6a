import { defineError } from '../../base/errors';

// the specification's seven errors (§8)
export const malformedAuthentication = defineError('spotify.malformed_authentication', 'conflict');
export const urlNotAllowed = defineError('spotify.url_not_allowed', 'conflict');
export const duplicateShow = defineError('spotify.duplicate_show', 'conflict');
export const userNotAllowed = defineError('spotify.user_not_allowed', 'conflict');
export const podcastNotFound = defineError('spotify.podcast_not_found', 'conflict');
export const accessDenied = defineError('spotify.access_denied', 'conflict');
export const linkedElsewhere = defineError('spotify.linked_elsewhere', 'conflict');

/** No answer, or too many calls. */
export const spotifyAway = defineError('spotify.away', 'upstream');
/** This installation has no contract with Spotify. */
export const spotifyNotOffered = defineError('spotify.not_offered', 'conflict');
export const linkingExpired = defineError('spotify.linking_expired', 'expired');
/** Another request is talking to Spotify about the same user. */
export const linkBusy = defineError('spotify.link_busy', 'conflict');
export const ownerNotLinked = defineError('spotify.owner_not_linked', 'conflict');
export const showNotPublic = defineError('spotify.show_not_public', 'conflict');
/** Its episodes open for each listener at another time, which Spotify cannot do. */
export const showDrips = defineError('spotify.show_drips', 'conflict');
export const showNotThere = defineError('spotify.show_not_there', 'conflict');
export const noStatus = defineError('spotify.no_status', 'conflict');
