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
/** Continues runs whose job was lost, and deletes what was heard once nobody needs it. */
export const recoverTranscriptions = job('transcription.recover', {}, SCHEDULED);
