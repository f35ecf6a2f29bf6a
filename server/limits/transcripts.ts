import { DAYS, HOURS } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * `maxBytes`: size of an uploaded file, and the longest text that the editor saves, in characters; three hours of speech as WebVTT
 * have half a megabyte. `cues`: passages in it, and `lines`: of which each costs time, even if it is empty.
 * `cueLength`, `speakerLength`: in characters. `shownLength`: length of the text on the episode's page; longer
 * transcripts are linked.
 */
export const TRANSCRIPT_LIMITS = {
  maxBytes: 2 * MEGABYTES,
  cues: 50_000,
  lines: 400_000,
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
 * `matches`: places with the words that a search collects, all of them readable. `examined`: places at which a search on
 * Discover ends, readable or not. `excerpt`: length of what is shown of a place, in characters.
 */
export const TRANSCRIPT_SEARCH_LIMITS = {
  perRun: 200,
  perPart: 10,
  parts: 20,
  matches: 5000,
  examined: 50_000,
  excerpt: 220,
} as const;

/**
 * The glossary of a show. `entries`: its lines. `forms`: what engines write instead of one spelling, and `formLength`: of
 * each of these, in characters. `lineLength`: of a line with all of them, and `shownLength`: of one in a
 * message. `sameStart`: forms that begin with one word, since all of them are compared with each place of that word.
 */
export const GLOSSARY_LIMITS = {
  entries: 200,
  forms: 5,
  formLength: 100,
  lineLength: 650,
  shownLength: 60,
  sameStart: 50,
} as const;
