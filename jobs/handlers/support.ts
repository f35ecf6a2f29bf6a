import { sweepMessages as sweep } from '~/server/domain/support/contacting';
import { sweepReports } from '~/server/domain/support/reporting';
import { sweepMessages } from '../catalog';
import { handle } from './handle';

export const supportHandlers = [
  handle(sweepMessages, async (_, ctx) => {
    await sweep(ctx);
    await sweepReports(ctx);
  }),
];
