import * as profile from '~/server/domain/accounts/profile';
import { currentUser } from '~/server/domain/accounts/queries';
import { registerAccount } from '~/server/domain/accounts/registering';
import { register, signIn, updateAccount, verifyEmail } from '~/server/domain/accounts/schema';
import * as signingIn from '~/server/domain/accounts/signing-in';
import * as verifying from '~/server/domain/accounts/verifying';
import { assertNotTooOften, limited, publicProcedure, router, userProcedure } from '../init';

export const accountsRouter = router({
  register: limited('register')
    .input(register)
    .mutation(({ ctx, input }) => registerAccount(ctx, input)),
  signIn: limited('signIn')
    .input(signIn)
    .mutation(async ({ ctx, input }) => {
      await assertNotTooOften(ctx, 'signInAccount', input.email);
      return signingIn.signIn(ctx, input);
    }),
  signOut: userProcedure.mutation(({ ctx }) => signingIn.signOut(ctx)),
  me: userProcedure.query(({ ctx }) => currentUser(ctx)),
  update: userProcedure.input(updateAccount).mutation(({ ctx, input }) => profile.updateAccount(ctx, input)),
  verifyEmail: publicProcedure.input(verifyEmail).mutation(({ ctx, input }) => verifying.verifyEmail(ctx, input)),
  resendVerification: limited('register').mutation(({ ctx }) => verifying.resendVerification(ctx)),
});
