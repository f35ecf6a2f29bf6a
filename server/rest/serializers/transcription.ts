import { z } from 'zod';
import { TRANSCRIPT_STATUSES, type TranscriptStatus } from '../../domain/episodes/rules';
import type { CheckedCredits } from '../../domain/transcription/credits';
import { serializer } from '../call';

export const creditsOut = serializer(
  'TranscriptionCredits',
  z.strictObject({ available_minutes: z.int(), needed_minutes: z.int(), enough: z.boolean() }),
  ({ availableMinutes, neededMinutes, enough }: CheckedCredits) => ({
    available_minutes: availableMinutes,
    needed_minutes: neededMinutes,
    enough,
  }),
);

export const transcriptStatusOut = serializer(
  'TranscriptStatus',
  z.strictObject({ transcript_status: z.enum(TRANSCRIPT_STATUSES) }),
  ({ transcriptStatus }: { transcriptStatus: TranscriptStatus }) => ({ transcript_status: transcriptStatus }),
);
