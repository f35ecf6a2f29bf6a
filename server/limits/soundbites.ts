import { MINUTES, SECONDS } from '../base/time';
import { FEED_LIMITS } from './feeds';
import { MEGABYTES } from './sizes';

/**
 * `longestMs` and `titleLength`: of the podcast namespace, whose shortest length is a recommendation, of which the form
 * tells. `cues`: passages of the transcript on a soundbite's page. `captionLength`: characters that a picture has room
 * for.
 */
export const SOUNDBITE_LIMITS = {
  perEpisode: 20,
  shortestMs: SECONDS(5),
  recommendedMs: SECONDS(FEED_LIMITS.soundbiteSeconds.min),
  longestMs: SECONDS(FEED_LIMITS.soundbiteSeconds.max),
  titleLength: 128,
  cues: 100,
  captionLength: 84,
} as const;

/**
 * A video that the server encodes. `bytes`: of the video; a still picture of two minutes has two megabytes. `stills`: one
 * for each caption, with the one that shows the wave as played, and `stillBytes` and `pixels`: of each of them. `requestBytes`: of all.
 * `timeoutMs`: until FFmpeg has opened its files. `waiting`: videos that are made or wait, one after the other.
 * `receivedWithin` and `sentWithin`: how long a client may take for the pictures, and for the video. `slowAfter`: when
 * its place may go to another creator.
 */
export const VIDEO_LIMITS = {
  bytes: 48 * MEGABYTES,
  durationMs: SOUNDBITE_LIMITS.longestMs,
  stills: SOUNDBITE_LIMITS.cues + 1,
  stillBytes: 3 * MEGABYTES,
  pixels: 1920 * 1080,
  requestBytes: 24 * MEGABYTES,
  timeoutMs: MINUTES(5),
  waiting: 3,
  retrySeconds: 60,
  receivedWithin: MINUTES(3),
  slowAfter: SECONDS(20),
  sentWithin: MINUTES(5),
} as const;
