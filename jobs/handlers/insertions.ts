import { refreshServed as refresh, refreshDue as refreshAll } from '~/server/domain/insertions/served-lengths';
import { refreshDue, refreshServed } from '~/server/queue/jobs/insertions';
import { handle } from './handle';

export const insertionHandlers = [
  handle(refreshServed, (payload, ctx) => refresh(ctx, payload)),
  handle(refreshDue, (_, ctx) => refreshAll(ctx)),
];
