import { recoverTranscriptions as recover } from '~/server/domain/transcription/recover-transcriptions';
import { runTranscription as run } from '~/server/domain/transcription/run-transcription';
import { timeText as timeWords } from '~/server/domain/transcription/time-text';
import { recoverTranscriptions, runTranscription, timeText } from '~/server/queue/jobs/transcription';
import { handle } from './handle';

export const transcriptionHandlers = [
  handle(runTranscription, ({ runId }, ctx) => run(ctx, runId)),
  handle(timeText, ({ episodeId }, ctx) => timeWords(ctx, episodeId)),
  handle(recoverTranscriptions, (_, ctx) => recover(ctx)),
];
