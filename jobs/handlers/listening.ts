import { maintainPartitions } from '~/server/domain/listening/partitions';
import { prepareListening } from '~/server/queue/catalog';
import { handle } from './handle';

export const listeningHandlers = [handle(prepareListening, (_, ctx) => maintainPartitions(ctx))];
