import { MEGABYTES } from './sizes';

/**
 * `maxBytes`: size of an uploaded file; three hours of speech as WebVTT have half a megabyte. `cues`: passages in it.
 * `cueLength`, `speakerLength`: in characters. `shownLength`: length of the text on the episode's page; longer
 * transcripts are linked.
 */
export const TRANSCRIPT_LIMITS = {
  maxBytes: 2 * MEGABYTES,
  cues: 50_000,
  cueLength: 20_000,
  speakerLength: 60,
  shownLength: 150_000,
  paragraphLength: 500,
} as const;
