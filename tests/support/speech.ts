import type { Speech } from '~/server/sandbox/transcriber/known-speech';
import english from '~/server/sandbox/transcriber/speech-en.json';

/** A recording whose words and times are known to the tests and to the local engine. */
export const SPEECH = english as unknown as Speech;

export const speechMp3 = (): Buffer => Buffer.from(SPEECH.mp3, 'base64');
