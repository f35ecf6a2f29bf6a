import { catchUpSums as catchUp } from '~/server/domain/listening/catch-up-sums';
import { maintainPartitions } from '~/server/domain/listening/partitions';
import { shipPlays } from '~/server/domain/listening/ship-plays';
import { catchUpSums, prepareListening, shipStatistics } from '~/server/queue/jobs/listening';
import { handle } from './handle';

export const listeningHandlers = [
  handle(prepareListening, (_, ctx) => maintainPartitions(ctx)),
  handle(catchUpSums, (payload, ctx) => catchUp(ctx, payload)),
  handle(shipStatistics, (_, ctx) => shipPlays(ctx)),
];
