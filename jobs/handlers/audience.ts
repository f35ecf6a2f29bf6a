import { sweepPending } from '~/server/domain/audience/erasing';
import { queueJoinLink } from '~/server/domain/audience/joining';
import { sendJoinLink, sweepContacts } from '../catalog';
import { handle } from './handle';

export const audienceHandlers = [
  handle(sendJoinLink, (payload, ctx) => queueJoinLink(ctx, payload)),
  handle(sweepContacts, (_, ctx) => sweepPending(ctx)),
];
