import { defineError } from '../../base/errors';

/** Also thrown for another creator's soundbite. */
export const soundbiteNotFound = defineError('soundbite.not_found', 'not_found');
export const soundbiteOutside = defineError('soundbite.outside', 'invalid', { field: 'endMs' });
export const soundbiteNeedsAudio = defineError('soundbite.needs_audio', 'conflict');
/** The param is the limit. */
export const soundbiteLimitReached = defineError('soundbite.limit_reached', 'limit_reached');
