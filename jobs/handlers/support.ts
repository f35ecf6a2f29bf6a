import { sweepMessages as sweep } from '~/server/domain/support/contact-support';
import { sweepReports } from '~/server/domain/support/report-abuse';
import { sweepMessages } from '~/server/queue/jobs/support';
import { handle } from './handle';

export const supportHandlers = [
  handle(sweepMessages, async (_, ctx) => {
    await sweep(ctx);
    await sweepReports(ctx);
  }),
];
