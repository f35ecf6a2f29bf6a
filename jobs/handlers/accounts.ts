import { queueEmailChange } from '~/server/domain/accounts/email-change';
import { queuePasswordReset } from '~/server/domain/accounts/passwords';
import { deleteExpired } from '~/server/domain/accounts/verifying';
import { sendEmailChange, sendPasswordReset, sweepSessions } from '../catalog';
import { handle } from './handle';

export const accountHandlers = [
  handle(sendPasswordReset, (payload, ctx) => queuePasswordReset(ctx, payload)),
  handle(sendEmailChange, (payload, ctx) => queueEmailChange(ctx, payload)),
  handle(sweepSessions, (_, ctx) => deleteExpired(ctx)),
];
