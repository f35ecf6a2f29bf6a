import * as schema from '~/server/domain/accounts/base/schema';
import * as identities from '~/server/domain/accounts/logins/identities';
import * as login from '~/server/domain/accounts/logins/identity-login';
import { limited, limitedUser, publicProcedure, router, userProcedure } from '../init';

/** Logging in with an account at another service. */
export const identitiesRouter = router({
  providers: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => [...ctx.ports.identity.providers]),
  begin: limited('identityLogin')
    .input(schema.beginIdentityLogin)
    .mutation(({ ctx, input }) => login.beginIdentityLogin(ctx, input, ctx.loginAttempt.browser())),
  finish: limited('identityLogin')
    .input(schema.finishIdentityLogin)
    .mutation(async ({ ctx, input }) => {
      const door = { browser: ctx.loginAttempt.browser(), clientFor: ctx.logins.clientFor };
      const finished = await login.finishIdentityLogin(ctx, input, door);
      if (finished.step.to === 'session') ctx.logins.remember(finished.step.opened.user.email);
      return finished;
    }),
  pending: limited('identityLogin')
    .meta({ openTo: 'everyone' })
    .query(({ ctx }) => login.pendingIdentity(ctx, ctx.loginAttempt.browser())),
  signUp: limited('signUp')
    .input(schema.signUpWithIdentity)
    .mutation(async ({ ctx, input }) => {
      const opened = await login.signUpWithIdentity(ctx, input, ctx.loginAttempt.browser());
      ctx.logins.remember(input.email);
      return opened;
    }),
  list: userProcedure.query(({ ctx }) => identities.listConnections(ctx)),
  link: limitedUser('identityLogin').mutation(({ ctx }) => login.linkIdentity(ctx, ctx.loginAttempt.browser())),
  unlink: userProcedure
    .input(schema.unlinkIdentity)
    .mutation(({ ctx, input }) => identities.unlinkIdentity(ctx, input)),
});
