import * as schema from '~/server/domain/accounts/base/schema';
import * as loggingIn from '~/server/domain/accounts/logins/log-in';
import * as authenticator from '~/server/domain/accounts/second-factors/authenticator';
import { replaceRecoveryCodes } from '~/server/domain/accounts/second-factors/change-second-factor';
import * as passkeys from '~/server/domain/accounts/second-factors/passkeys';
import { confirmIdentity } from '~/server/domain/accounts/second-factors/second-factor';
import { secondFactorState } from '~/server/domain/accounts/settings/security-page';
import { limited, limitedUser, publicProcedure, userProcedure } from '../init';

/** Part of `accounts`: the second step of a login, and the settings of two-factor authentication. */
export const secondFactorProcedures = {
  pendingLogIn: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => loggingIn.pendingLogIn(ctx)),
  finishLogIn: publicProcedure.input(schema.finishLogIn).mutation(async ({ ctx, input }) => {
    const opened = await loggingIn.finishLogIn(ctx, input, ctx.logins.clientFor);
    ctx.logins.remember(opened.user.email);
    return opened;
  }),
  startPasskeyLogIn: limited('passkey')
    .meta({ openTo: 'everyone' })
    .mutation(({ ctx }) => passkeys.startPasskeyLogIn(ctx)),
  logInWithPasskey: limited('passkey')
    .input(schema.logInWithPasskey)
    .mutation(async ({ ctx, input }) => {
      const opened = await loggingIn.logInWithPasskey(ctx, input, ctx.logins.clientFor);
      ctx.logins.remember(opened.user.email);
      return opened;
    }),
  secondFactor: userProcedure.query(({ ctx }) => secondFactorState(ctx)),
  confirmIdentity: limitedUser('confirmIdentity')
    .input(schema.confirmIdentity)
    .mutation(({ ctx, input }) => confirmIdentity(ctx, input)),
  startPasskeyConfirmation: limitedUser('passkey').mutation(({ ctx }) => passkeys.startPasskeyConfirmation(ctx)),
  confirmWithPasskey: userProcedure
    .input(schema.answerPasskey)
    .mutation(({ ctx, input }) => passkeys.confirmWithPasskey(ctx, input)),
  startAuthenticator: userProcedure.mutation(({ ctx }) => authenticator.startAuthenticator(ctx)),
  confirmAuthenticator: userProcedure
    .input(schema.confirmAuthenticator)
    .mutation(({ ctx, input }) => authenticator.confirmAuthenticator(ctx, input)),
  removeAuthenticator: userProcedure.mutation(({ ctx }) => authenticator.removeAuthenticator(ctx)),
  replaceRecoveryCodes: userProcedure.mutation(({ ctx }) => replaceRecoveryCodes(ctx)),
  startPasskey: limitedUser('passkey').mutation(({ ctx }) => passkeys.startPasskey(ctx)),
  addPasskey: userProcedure.input(schema.addPasskey).mutation(({ ctx, input }) => passkeys.addPasskey(ctx, input)),
  renamePasskey: userProcedure
    .input(schema.renamePasskey)
    .mutation(({ ctx, input }) => passkeys.renamePasskey(ctx, input)),
  deletePasskey: userProcedure
    .input(schema.deletePasskey)
    .mutation(({ ctx, input }) => passkeys.deletePasskey(ctx, input)),
};
