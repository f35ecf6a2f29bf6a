import * as loggingIn from '~/server/domain/accounts/logging-in';
import * as profile from '~/server/domain/accounts/profile';
import { currentUser } from '~/server/domain/accounts/queries';
import * as schema from '~/server/domain/accounts/schema';
import { signUp } from '~/server/domain/accounts/signing-up';
import * as verifying from '~/server/domain/accounts/verifying';
import { limited, publicProcedure, router, userProcedure } from '../init';

export const accountsRouter = router({
  signUp: limited('signUp')
    .input(schema.signUp)
    .mutation(async ({ ctx, input }) => {
      const opened = await signUp(ctx, input);
      ctx.logins.remember(input.email);
      return opened;
    }),
  logIn: publicProcedure.input(schema.logIn).mutation(async ({ ctx, input }) => {
    const opened = await ctx.logins.attempt(input.email, (client) => loggingIn.logIn({ ...ctx, client }, input));
    ctx.logins.remember(input.email);
    return opened;
  }),
  logOut: userProcedure.mutation(({ ctx }) => loggingIn.logOut(ctx)),
  me: userProcedure.query(({ ctx }) => currentUser(ctx)),
  update: userProcedure.input(schema.updateAccount).mutation(({ ctx, input }) => profile.updateAccount(ctx, input)),
  verifyEmail: limited('verifyEmail')
    .input(schema.verifyEmail)
    .mutation(({ ctx, input }) => verifying.verifyEmail(ctx, input)),
  resendVerification: limited('signUp').mutation(({ ctx }) => verifying.resendVerification(ctx)),
});
