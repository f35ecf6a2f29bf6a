import { sendMessage } from '~/server/domain/support/contacting';
import * as schema from '~/server/domain/support/schema';
import { limited, router } from '../init';

export const supportRouter = router({
  sendMessage: limited('contact')
    .input(schema.sendMessage)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),
});
