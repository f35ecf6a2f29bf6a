import { DAYS, HOURS } from '../base/time';
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

/**
 * `changes`: in one save, and `perChange`: passages in one of them, so that a client sends a long change in parts.
 * `latestMs`: the end of a passage at most. `unsureBelow`: passages with less confidence need a look. `recordedEvery`:
 * edits within this time are one entry of the log. `transcripts`: how many of a show's latest transcripts suggest names,
 * and `speakers`: how many names.
 */
export const TRANSCRIPT_EDITING_LIMITS = {
  changes: 500,
  perChange: 2000,
  latestMs: DAYS(7),
  unsureBelow: 0.5,
  recordedEvery: HOURS(1),
  transcripts: 20,
  speakers: 100,
} as const;

/**
 * `perRun`: transcripts that one run of the job reads. `perPart`: passages on a page, and `parts`: how many pages there are.
 * `matches`: passages that a search examines. `excerpt`: length of what is shown of one, in characters.
 */
export const TRANSCRIPT_SEARCH_LIMITS = { perRun: 200, perPart: 10, parts: 20, matches: 2000, excerpt: 220 } as const;
