import * as schema from '~/server/domain/notifications/schema';
import * as unsubscribing from '~/server/domain/notifications/unsubscribe';
import { limitedInvalid, router } from '../init';

export const notificationsRouter = router({
  unsubscription: limitedInvalid
    .meta({ openTo: 'everyone' })
    .input(schema.unsubscribe)
    .query(({ ctx, input }) => unsubscribing.readUnsubscription(ctx, input)),
  unsubscribe: limitedInvalid
    .meta({ openTo: 'everyone' })
    .input(schema.unsubscribe)
    .mutation(({ ctx, input }) => unsubscribing.unsubscribe(ctx, input)),
});
