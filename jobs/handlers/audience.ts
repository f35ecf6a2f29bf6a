import { sweepPending } from '~/server/domain/audience/erase-contacts';
import { queueJoinLink } from '~/server/domain/audience/join-newsletter';
import { sendJoinLink, sweepContacts } from '~/server/queue/catalog';
import { handle } from './handle';

export const audienceHandlers = [
  handle(sendJoinLink, (payload, ctx) => queueJoinLink(ctx, payload)),
  handle(sweepContacts, (_, ctx) => sweepPending(ctx)),
];
