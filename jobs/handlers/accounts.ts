import { queuePasswordReset } from '~/server/domain/accounts/logins/passwords';
import { deleteExpired } from '~/server/domain/accounts/logins/verify-email';
import { buildExport as build, sweepExports as sweep } from '~/server/domain/accounts/personal-data/export-data';
import { recoverDeletions as recover } from '~/server/domain/accounts/settings/delete-account';
import { queueEmailChange } from '~/server/domain/accounts/settings/email-change';
import {
  buildExport,
  deleteAccount,
  recoverDeletions,
  sendEmailChange,
  sendPasswordReset,
  sweepExports,
  sweepSessions,
} from '~/server/queue/jobs/accounts';
import { deleteDueAccount } from './deletion';
import { handle } from './handle';

export const accountHandlers = [
  handle(sendPasswordReset, (payload, ctx) => queuePasswordReset(ctx, payload)),
  handle(sendEmailChange, (payload, ctx) => queueEmailChange(ctx, payload)),
  handle(deleteAccount, (payload, ctx) => deleteDueAccount(ctx, payload)),
  handle(recoverDeletions, (_, ctx) => recover(ctx)),
  handle(buildExport, (payload, ctx) => build(ctx, payload)),
  handle(sweepExports, (_, ctx) => sweep(ctx)),
  handle(sweepSessions, (_, ctx) => deleteExpired(ctx)),
];
