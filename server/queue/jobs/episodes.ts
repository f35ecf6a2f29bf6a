import { z } from 'zod';
import { HEAVY, id, job, LONG, QUICK, SCHEDULED } from '../job';

/** Checks an episode's uploaded file and sets its status (audio-check.ts, which calls probe-audio.ts). */
export const checkAudio = job('episodes.check-audio', { episodeId: id }, HEAVY);
/** Checks a file that FFmpeg must convert first, which takes minutes. */
export const convertAudio = job('episodes.convert-audio', { episodeId: id }, LONG);
/**
 * Fetches audio from another host (episodes/fetch-audio.ts). A job whose `step` has passed does nothing. `workers`: as many
 * as AUDIO_FETCH_LIMITS has places, so that a slow host leaves some to others.
 */
export const fetchAudio = job(
  'episodes.fetch-audio',
  { episodeId: id, step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5, workers: 6 },
);
/** Measures loudness and waveform of a checked file. Separate, because publishing does not wait for it. */
export const measureLoudness = job('episodes.measure-loudness', { episodeId: id }, LONG);
/** Enqueues `measureLoudness` for audio without a waveform. */
export const measureMissing = job('episodes.measure-missing', {}, SCHEDULED);
/** Converts the picture of a chapter, which takes too long for a request. */
export const storeChapterImage = job(
  'episodes.store-chapter-image',
  { episodeId: id, uploadKey: z.string(), imageKey: z.string() },
  HEAVY,
);
/** Writes an episode's edited chapters into the head of its file. */
export const writeHead = job('episodes.write-head', { episodeId: id }, HEAVY);
/** Publishes a scheduled episode; does nothing if it was rescheduled. */
export const goLive = job('episodes.go-live', { episodeId: id }, QUICK);
/** Publishes the episodes whose release has waited for the user's verified address (episodes/kept-releases.ts). */
export const releaseKept = job('episodes.release-kept', { userId: id }, QUICK);
/** Makes an episode public that was in early access (episodes/early-access.ts). */
export const openEpisode = job('episodes.open', { episodeId: id }, QUICK);
/**
 * Emails a published episode to its subscribers, those with ids above `after` first. Each run queues some of them and
 * enqueues the next run. `until`: later subscribers get no email about an episode that returns.
 */
export const announceEpisode = job(
  'episodes.announce',
  { episodeId: id, until: z.iso.datetime(), after: z.number().int().nonnegative() },
  QUICK,
);
/** Enqueues checks and releases whose jobs ran out of attempts again. */
export const recoverEpisodes = job('episodes.recover', {}, SCHEDULED);
/** Lets people search transcripts that have changed (episodes/index-transcripts.ts). */
export const refreshTranscriptSearch = job('episodes.index-transcripts', {}, SCHEDULED);
/** Permanently deletes episodes whose deletion can no longer be undone. */
export const purgeDeleted = job('episodes.purge-deleted', {}, SCHEDULED);
