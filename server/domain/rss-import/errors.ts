import { defineError } from '../../base/errors';

export const alreadyImporting = defineError('import.already_importing', 'invalid');
export const importNotFound = defineError('import.not_found', 'not_found');
/** Spec §8. */
export const validationLinkExpired = defineError('import.link_expired', 'expired');
export const notAFeed = defineError('import.not_a_feed', 'invalid', { field: 'url' });
/** The host has nothing at the address of the feed. `fetch.file_missing` is about audio and pictures. */
export const feedMissing = defineError('import.feed_missing', 'invalid', { field: 'url' });
export const noEpisodes = defineError('import.no_episodes', 'invalid', { field: 'url' });
export const noOwnerAddress = defineError('import.no_owner_address', 'invalid', { field: 'url' });
export const codeNotFound = defineError('import.code_not_found', 'invalid');
export const notWaiting = defineError('import.not_waiting', 'conflict');
export const tooManyImportEmails = defineError('import.too_many_emails', 'too_many');
export const noOldFeed = defineError('import.no_old_feed', 'not_found');
/** Too many feeds are read for visitors, or too many of this host. */
export const previewBusy = defineError('import.preview_busy', 'too_many', { field: 'url' });
/** The host did not send feed and cover in the time of a preview; an import has more. */
export const previewTooSlow = defineError('import.preview_too_slow', 'upstream', { field: 'url' });
/** Reading so many items takes longer than a request of a visitor may. */
export const previewTooLong = defineError('import.preview_too_long', 'too_large', { field: 'url' });
/** Also for a token that never existed: visitors must not learn which. */
export const previewExpired = defineError('import.preview_expired', 'expired');
/** The errors below concern single episodes. */
export const nothingImported = defineError('import.nothing_imported', 'invalid');
export const formatUnsupported = defineError('import.format_unsupported', 'invalid');
export const episodeDeleted = defineError('import.episode_deleted', 'invalid');
export const outOfTime = defineError('import.out_of_time', 'invalid');
export const guidTooLong = defineError('import.guid_too_long', 'invalid');
/** The errors below concern parts of episodes. */
export const chaptersUnreadable = defineError('import.chapters_unreadable', 'invalid');
export const transcriptUnsupported = defineError('import.transcript_unsupported', 'invalid');
/** The rest is copied at the next attempt. */
export const picturesSlow = defineError('import.pictures_slow', 'upstream');
