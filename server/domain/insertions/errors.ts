import { defineError } from '../../base/errors';

// clips
/** Also thrown for another creator's clip. */
export const clipNotFound = defineError('clip.not_found', 'not_found');
export const clipOutside = defineError('clip.outside', 'invalid', { field: 'endMs' });
export const clipNeedsAudio = defineError('clip.needs_audio', 'invalid');
/** The param is the name of the campaign. */
export const clipInCampaign = defineError('clip.used_by_campaign', 'conflict');
/** The param is the name of the episode. */
export const clipInPassage = defineError('clip.used_by_passage', 'conflict');
export const clipLimitReached = defineError('clip.limit_reached', 'limit_reached');
/** A version of a clip whose job did not finish. */
export const conversionFailed = defineError('clip.conversion_failed', 'invalid');
