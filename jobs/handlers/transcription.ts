import { recoverTranscriptions as recover } from '~/server/domain/transcription/recover-transcriptions';
import { runTranscription as run } from '~/server/domain/transcription/run-transcription';
import { recoverTranscriptions, runTranscription } from '~/server/queue/jobs/transcription';
import { handle } from './handle';

export const transcriptionHandlers = [
  handle(runTranscription, ({ runId }, ctx) => run(ctx, runId)),
  handle(recoverTranscriptions, (_, ctx) => recover(ctx)),
];
