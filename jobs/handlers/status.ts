import { checkComponents as check } from '~/server/domain/status/check-components';
import { sweepChecks as sweep } from '~/server/domain/status/sweep-checks';
import { checkComponents, sweepChecks } from '~/server/queue/jobs/status';
import { handle } from './handle';

export const statusHandlers = [
  handle(checkComponents, (_, ctx) => check(ctx)),
  handle(sweepChecks, (_, ctx) => sweep(ctx)),
];
