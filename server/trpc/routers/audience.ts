import { confirmJoin, joinLink, joinNewsletter } from '~/server/domain/audience/join-newsletter';
import { findLeaving, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import * as schema from '~/server/domain/audience/schema';
import { limited, router } from '../init';

export const audienceRouter = router({
  joinNewsletter: limited('joinNewsletter')
    .input(schema.joinNewsletter)
    .mutation(({ ctx, input }) => joinNewsletter(ctx, input)),
  joinLink: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .query(({ ctx, input }) => joinLink(ctx, input)),
  confirmJoin: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .mutation(({ ctx, input }) => confirmJoin(ctx, input)),
  leaving: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .query(({ ctx, input }) => findLeaving(ctx, input)),
  leaveNewsletter: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.emailLink)
    .mutation(({ ctx, input }) => leaveNewsletter(ctx, input)),
});
