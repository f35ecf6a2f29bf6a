import { sweepAnswers } from '~/server/domain/developers/idempotent-calls';
import { sweepCalls } from '~/server/domain/developers/record-calls';
import { sweepApiCalls } from '~/server/queue/jobs/developers';
import { handle } from './handle';

export const developerHandlers = [
  handle(sweepApiCalls, async (_, ctx) => {
    await sweepCalls(ctx);
    await sweepAnswers(ctx);
  }),
];
