import { defineError } from '../../base/errors';

export const noEngine = defineError('transcription.no_engine', 'conflict');
export const notPublished = defineError('transcription.not_published', 'invalid');
export const tooLong = defineError('transcription.too_long', 'invalid');
export const noCredits = defineError('transcription.no_credits', 'invalid');
export const alreadyRunning = defineError('transcription.running', 'conflict');
export const hasTranscript = defineError('transcription.has_transcript', 'conflict');
export const resultOutdated = defineError('transcription.result_outdated', 'conflict');
export const nothingToDecide = defineError('transcription.nothing_to_decide', 'conflict');

/** Why a run ended without a transcript. */
export const notRecognised = defineError('transcription.not_recognised', 'upstream');
export const engineRefused = defineError('transcription.engine_refused', 'upstream');
export const soundRefused = defineError('transcription.sound_refused', 'upstream');
export const engineBroken = defineError('transcription.engine_broken', 'upstream');
export const answerUnreadable = defineError('transcription.answer_unreadable', 'upstream');
export const engineAway = defineError('transcription.engine_away', 'upstream');
export const soundMissing = defineError('transcription.sound_missing', 'upstream');
export const audioReplaced = defineError('transcription.audio_replaced', 'upstream');

/** Why a text gets no times. */
export const noSound = defineError('timing.no_sound', 'conflict');
export const soundTooLong = defineError('timing.too_long', 'invalid');
export const textTooLong = defineError('timing.text_too_long', 'invalid', { field: 'text' });
export const textMissing = defineError('timing.text_missing', 'invalid', { field: 'text' });
export const timingRunning = defineError('timing.running', 'conflict');
export const timingFailed = defineError('timing.failed', 'upstream');
export const transcriptChanged = defineError('timing.transcript_changed', 'upstream');
