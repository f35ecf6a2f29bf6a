import { id, job, LONG, SCHEDULED } from '../job';

/**
 * Has the pieces of an episode heard that nobody has heard yet (transcription/run-transcription.ts). While the engine is
 * away, it enqueues itself again.
 */
export const runTranscription = job(
  'transcription.run',
  { runId: id },
  { ...LONG, retryDelay: 5, expires: 7200, workers: 2 },
);
/** Times the words of a text by the sound of its episode (transcription/time-text.ts). */
export const timeText = job('transcription.time-text', { episodeId: id }, { ...LONG, retryDelay: 5, expires: 3600 });
/** Continues runs whose job was lost, and deletes what was heard once nobody needs it. */
export const recoverTranscriptions = job('transcription.recover', {}, SCHEDULED);
