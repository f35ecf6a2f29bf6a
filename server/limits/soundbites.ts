import { SECONDS } from '../base/time';
import { FEED_LIMITS } from './feeds';

/**
 * `longestMs` and `titleLength`: of the podcast namespace, whose shortest length is a recommendation, of which the form
 * tells. `cues`: passages of the transcript on a soundbite's page.
 */
export const SOUNDBITE_LIMITS = {
  perEpisode: 20,
  shortestMs: SECONDS(5),
  recommendedMs: SECONDS(FEED_LIMITS.soundbiteSeconds.min),
  longestMs: SECONDS(FEED_LIMITS.soundbiteSeconds.max),
  titleLength: 128,
  cues: 100,
} as const;
