import * as schema from '~/server/domain/notifications/schema';
import * as unsubscribing from '~/server/domain/notifications/unsubscribe';
import { limited, router } from '../init';

export const notificationsRouter = router({
  unsubscription: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.unsubscribe)
    .query(({ ctx, input }) => unsubscribing.readUnsubscription(ctx, input)),
  unsubscribe: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.unsubscribe)
    .mutation(({ ctx, input }) => unsubscribing.unsubscribe(ctx, input)),
});
