import { checkCredits } from '~/server/domain/transcription/credits';
import { decideTranscription } from '~/server/domain/transcription/decide-transcription';
import * as schema from '~/server/domain/transcription/schema';
import { startTiming } from '~/server/domain/transcription/start-timing';
import { startTranscription } from '~/server/domain/transcription/start-transcription';
import { timingState } from '~/server/domain/transcription/timing-state';
import { transcriptionState } from '~/server/domain/transcription/transcription-state';
import { creatorProcedure, router } from '../init';

export const transcriptionRouter = router({
  state: creatorProcedure.input(schema.findTranscription).query(({ ctx, input }) => transcriptionState(ctx, input)),
  timing: creatorProcedure.input(schema.findTranscription).query(({ ctx, input }) => timingState(ctx, input)),
  timeText: creatorProcedure.input(schema.startTiming).mutation(({ ctx, input }) => startTiming(ctx, input)),
  credits: creatorProcedure.input(schema.findTranscription).query(({ ctx, input }) => checkCredits(ctx, input)),
  start: creatorProcedure.input(schema.startTranscription).mutation(({ ctx, input }) => startTranscription(ctx, input)),
  decide: creatorProcedure
    .input(schema.decideTranscription)
    .mutation(({ ctx, input }) => decideTranscription(ctx, input)),
});
