import { sweepApps as sweep } from '~/server/domain/apps/sweep-apps';
import { sweepApps } from '~/server/queue/jobs/apps';
import { handle } from './handle';

export const appHandlers = [handle(sweepApps, (_, ctx) => sweep(ctx))];
