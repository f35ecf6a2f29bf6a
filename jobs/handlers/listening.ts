import { maintainPartitions } from '~/server/domain/listening/partitions';
import { shipPlays } from '~/server/domain/listening/ship-plays';
import { prepareListening, shipStatistics } from '~/server/queue/catalog';
import { handle } from './handle';

export const listeningHandlers = [
  handle(prepareListening, (_, ctx) => maintainPartitions(ctx)),
  handle(shipStatistics, (_, ctx) => shipPlays(ctx)),
];
