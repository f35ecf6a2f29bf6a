import { sendMessage } from '~/server/domain/support/contact-support';
import { reportAbuse, viewReported } from '~/server/domain/support/report-abuse';
import * as schema from '~/server/domain/support/schema';
import { limited, router } from '../init';

export const supportRouter = router({
  sendMessage: limited('contact')
    .input(schema.sendMessage)
    .mutation(({ ctx, input }) => sendMessage(ctx, input)),
  viewReported: limited('viewReported')
    .input(schema.viewReported)
    .query(({ ctx, input }) => viewReported(ctx, input)),
  reportAbuse: limited('report')
    .input(schema.report)
    .mutation(({ ctx, input }) => reportAbuse(ctx, input)),
});
