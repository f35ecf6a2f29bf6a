import { defineError } from '../../base/errors';

/** Also thrown for another creator's soundbite. */
export const soundbiteNotFound = defineError('soundbite.not_found', 'not_found');
export const soundbiteOutside = defineError('soundbite.outside', 'invalid', { field: 'endMs' });
export const soundbiteNeedsAudio = defineError('soundbite.needs_audio', 'conflict');
/** The param is the limit. */
export const soundbiteLimitReached = defineError('soundbite.limit_reached', 'limit_reached');

/** The pictures are not what a video needs: the browser's drawing and ours differ, as after an update. */
export const videoInvalid = defineError('soundbite.video_invalid', 'invalid');
export const videoTooLarge = defineError('soundbite.video_too_large', 'too_large');
/** Another video of the creator is being made, or too many wait. */
export const videoBusy = defineError('soundbite.video_busy', 'too_many');
/** FFmpeg is not installed, or fails. */
export const videoUnavailable = defineError('soundbite.video_unavailable', 'conflict');
