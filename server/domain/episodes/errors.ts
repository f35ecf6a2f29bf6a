import { defineError } from '../../base/errors';
import { withField } from '../media/errors';

export const episodeNotFound = defineError('episode.not_found', 'not_found');
/** An operator has taken the episode down: shown to its team, which can't publish it. */
export const episodeTakenDown = defineError('episode.taken_down', 'forbidden');
export const publishTimeInPast = defineError('episode.publish_time_in_past', 'invalid', { field: 'releaseDate' });
export const publicExceedsPrivate = defineError('episode.public_exceeds_private', 'invalid', { field: 'type' });
/** Spec §5. Thrown where a private episode would leave. */
export const privateNeeded = defineError('episode.private_needed', 'conflict');
export const slugTaken = defineError('episode.slug_taken', 'invalid', { field: 'slug' });
export const alreadyPublished = defineError('episode.already_published', 'conflict');
export const alreadyOnHold = defineError('episode.already_on_hold', 'conflict');
export const alreadyChanged = defineError('episode.already_changed', 'conflict');
export const notPlayable = defineError('episode.subscription_required', 'forbidden');
/** Thrown to assistants, which change only what nobody sees yet. */
export const notADraft = defineError('episode.not_a_draft', 'conflict');
/** Why an action left an episode as it is. */
export const beingChecked = defineError('episode.being_checked', 'conflict');
/** The download of its audio from another host runs. */
export const beingFetched = defineError('episode.being_fetched', 'conflict');
export const needsAudio = defineError('episode.needs_audio', 'conflict');
/** Why a restored episode is on hold: its release time passed while it was deleted. */
export const releaseMissed = defineError('episode.release_missed', 'conflict');
export const undoNotFound = defineError('episode.undo_not_found', 'not_found');

export const audioMissing = defineError('episode.file_required', 'invalid', { field: 'fileKey' });
/** `format`: of the file, by its address. */
export const addressOfOtherFormat = defineError('episode.audio_format', 'invalid', { field: 'audioUrl' });
/** `count`: how many episodes of a creator may wait for audio from other hosts. */
export const tooManyFetches = defineError('episode.too_many_fetches', 'too_many', { field: 'audioUrl' });

/** Each error of a chapter is shown at its row. Rows are counted from 0 in the order of the request. */
const pastEnd = defineError('chapter.past_end', 'invalid');
const sameTime = defineError('chapter.same_time', 'invalid');
export const chapterPastEnd = (row: number) => withField(pastEnd(), `chapters.${row}.startMs`);
export const chaptersAtOneTime = (row: number) => withField(sameTime(), `chapters.${row}.startMs`);
export const chapterImageMissing = defineError('chapter.image_missing', 'invalid');

/** Spec §5. Each upload counts, even if its promo was deleted. */
export const onePromoPerDay = defineError('promo.one_per_day', 'invalid');
/** Spec §8. */
export const waitForImport = defineError('promo.wait_for_import', 'conflict');
export const promoNeedsAudio = defineError('promo.needs_audio', 'conflict');
export const promoNotFound = defineError('promo.not_found', 'not_found');
export const previewExpired = defineError('episode.preview_expired', 'expired');
export const transcriptNotFound = defineError('transcript.not_found', 'not_found');
export const transcriptOverLimit = defineError('transcript.over_limit', 'invalid');
/** The changes do not fit the transcript: they overlap, or its times would no longer be in order. */
export const transcriptUnfit = defineError('transcript.changes_unfit', 'invalid');
/** `line`: its position, from 1. */
export const glossaryLineUnfit = defineError('glossary.line_unfit', 'invalid', { field: 'lines' });
export const glossaryChanged = defineError('glossary.already_changed', 'conflict');
export const transcriptFaults = {
  too_large: defineError('transcript.too_large', 'invalid', { field: 'content' }),
  not_text: defineError('transcript.not_text', 'invalid', { field: 'content' }),
  unreadable: defineError('transcript.unreadable', 'invalid', { field: 'content' }),
  empty: defineError('transcript.empty', 'invalid', { field: 'content' }),
  too_many_cues: defineError('transcript.too_many_cues', 'invalid', { field: 'content' }),
};
