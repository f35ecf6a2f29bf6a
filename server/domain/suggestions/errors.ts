import { defineError } from '../../base/errors';

export const noModel = defineError('suggestions.no_model', 'conflict');
export const noTranscript = defineError('suggestions.no_transcript', 'conflict');
export const transcriptTooLong = defineError('suggestions.too_long', 'invalid');
export const alreadyRunning = defineError('suggestions.running', 'conflict');
export const tooManyToday = defineError('suggestions.too_many_today', 'conflict');
export const nothingToTake = defineError('suggestions.nothing_to_take', 'not_found');
export const soundReplaced = defineError('suggestions.audio_replaced', 'conflict');
export const descriptionTooLong = defineError('suggestions.description_too_long', 'invalid');

/** Why a run ended without suggestions. */
export const runLost = defineError('suggestions.lost', 'upstream');
export const modelAway = defineError('suggestions.model_away', 'upstream');
export const modelRefused = defineError('suggestions.model_refused', 'upstream');
export const answerUnreadable = defineError('suggestions.answer_unreadable', 'upstream');
export const nothingFound = defineError('suggestions.nothing_found', 'upstream');
