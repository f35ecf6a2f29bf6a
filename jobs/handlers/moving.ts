import { recoverMovesOut, runMove } from '~/server/domain/moving/account-moves/move-subscriptions';
import { recoverSubscriberImports, runSubscriberImport } from '~/server/domain/moving/subscriber-imports/run-import';
import { sweepSubscriberImports } from '~/server/domain/moving/subscriber-imports/sweep-subscriber-imports';
import { importSubscribers, moveSubscribers, recoverMoves } from '~/server/queue/jobs/moving';
import { handle } from './handle';

export const movingHandlers = [
  handle(importSubscribers, (payload, ctx) => runSubscriberImport(ctx, payload)),
  handle(moveSubscribers, (payload, ctx) => runMove(ctx, payload)),
  handle(recoverMoves, async (_, ctx) => {
    await recoverSubscriberImports(ctx);
    await recoverMovesOut(ctx);
    await sweepSubscriberImports(ctx);
  }),
];
