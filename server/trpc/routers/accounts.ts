import { currentUser } from '~/server/domain/accounts/base/queries';
import * as schema from '~/server/domain/accounts/base/schema';
import * as loggingIn from '~/server/domain/accounts/logins/log-in';
import * as passwords from '~/server/domain/accounts/logins/passwords';
import * as sessions from '~/server/domain/accounts/logins/sessions';
import { signUp } from '~/server/domain/accounts/logins/sign-up';
import { verifyEmailByCode } from '~/server/domain/accounts/logins/verification-code';
import * as verifying from '~/server/domain/accounts/logins/verify-email';
import * as exporting from '~/server/domain/accounts/personal-data/export-data';
import * as billing from '~/server/domain/accounts/settings/billing-details';
import * as leaving from '~/server/domain/accounts/settings/delete-account';
import * as emailChange from '~/server/domain/accounts/settings/email-change';
import * as notifications from '~/server/domain/accounts/settings/notification-settings';
import * as preferences from '~/server/domain/accounts/settings/preferences';
import * as profile from '~/server/domain/accounts/settings/profile';
import { trackingData } from '~/server/domain/accounts/settings/tracking-data';
import { limited, limitedUser, publicProcedure, router, userProcedure } from '../init';
import { secondFactorProcedures } from './second-factors';

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
  ...secondFactorProcedures,
  logOut: userProcedure.mutation(({ ctx }) => loggingIn.logOut(ctx)),
  me: userProcedure.query(({ ctx }) => currentUser(ctx)),
  trackingData: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => trackingData(ctx)),
  chooseLanguage: limited('publicWrite')
    .input(schema.chooseLanguage)
    .mutation(({ ctx, input }) => preferences.chooseLanguage(ctx, input)),
  chooseConsent: limited('publicWrite')
    .input(schema.chooseConsent)
    .mutation(({ ctx, input }) => preferences.chooseConsent(ctx, input)),
  update: userProcedure.input(schema.updateAccount).mutation(({ ctx, input }) => profile.updateAccount(ctx, input)),
  completeFirstLogin: userProcedure
    .input(schema.completeFirstLogin)
    .mutation(({ ctx, input }) => profile.completeFirstLogin(ctx, input)),
  billingDetails: userProcedure.query(({ ctx }) => billing.billingDetails(ctx)),
  updatePayoutAddress: limitedUser('updatePayoutAddress')
    .input(schema.updatePayoutAddress)
    .mutation(({ ctx, input }) => billing.updatePayoutAddress(ctx, input)),
  updateBillingDetails: userProcedure
    .input(schema.updateBillingDetails)
    .mutation(({ ctx, input }) => billing.updateBillingDetails(ctx, input)),
  notifications: userProcedure.query(({ ctx }) => notifications.notificationSettings(ctx)),
  updateNotifications: userProcedure
    .input(schema.updateNotifications)
    .mutation(({ ctx, input }) => notifications.updateNotifications(ctx, input)),
  verificationLink: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.verifyEmail)
    .query(({ ctx, input }) => verifying.verificationLink(ctx, input)),
  verifyEmail: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.verifyEmail)
    .mutation(({ ctx, input }) => verifying.verifyEmail(ctx, input)),
  requestPasswordReset: limited('requestPasswordReset')
    .input(schema.requestPasswordReset)
    .mutation(({ ctx, input }) => passwords.requestPasswordReset(ctx, input)),
  passwordResetLink: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.verifyEmail)
    .query(({ ctx, input }) => passwords.passwordResetLink(ctx, input)),
  resetPassword: limited('verifyEmail')
    .input(schema.resetPassword)
    .mutation(({ ctx, input }) => passwords.resetPassword(ctx, input)),
  security: userProcedure.query(({ ctx }) => passwords.readSecurity(ctx)),
  emailChange: userProcedure.query(({ ctx }) => emailChange.currentEmailChange(ctx)),
  requestEmailChange: limitedUser('requestEmailChange')
    .input(schema.requestEmailChange)
    .mutation(({ ctx, input }) => emailChange.requestEmailChange(ctx, input)),
  cancelEmailChange: userProcedure.mutation(({ ctx }) => emailChange.cancelEmailChange(ctx)),
  emailChangeLink: limited('verifyEmail')
    .input(schema.confirmEmailChange)
    .query(({ ctx, input }) => emailChange.emailChangeLink(ctx, input)),
  confirmEmailChange: limited('verifyEmail')
    .input(schema.confirmEmailChange)
    .mutation(({ ctx, input }) => emailChange.confirmEmailChange(ctx, input)),
  sessions: userProcedure.query(({ ctx }) => sessions.listSessions(ctx)),
  endSession: userProcedure.input(schema.endSession).mutation(({ ctx, input }) => sessions.endSession(ctx, input)),
  endOtherSessions: userProcedure.mutation(({ ctx }) => sessions.endOtherSessions(ctx)),
  changePassword: limitedUser('changePassword')
    .input(schema.changePassword)
    .mutation(({ ctx, input }) => passwords.changePassword(ctx, input)),
  exportState: userProcedure.query(({ ctx }) => exporting.exportState(ctx)),
  requestExport: userProcedure.mutation(({ ctx }) => exporting.requestExport(ctx)),
  deletionState: userProcedure.query(({ ctx }) => leaving.deletionState(ctx)),
  requestDeletion: limitedUser('requestDeletion')
    .input(schema.requestDeletion)
    .mutation(({ ctx, input }) => leaving.requestDeletion(ctx, input)),
  requestDeletionByToken: userProcedure.mutation(({ ctx }) => leaving.requestDeletionByToken(ctx)),
  cancelDeletion: userProcedure.mutation(({ ctx }) => leaving.cancelDeletion(ctx)),
  undoDeletionLink: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.undoDeletion)
    .query(({ ctx, input }) => leaving.undoDeletionLink(ctx, input)),
  undoDeletion: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.undoDeletion)
    .mutation(({ ctx, input }) => leaving.undoDeletion(ctx, input)),
  verifyByCode: limitedUser('verifyEmail')
    .input(schema.verifyByCode)
    .mutation(({ ctx, input }) => verifyEmailByCode(ctx, input)),
  resendVerification: limited('signUp')
    .meta({ openTo: 'users' })
    .mutation(({ ctx }) => verifying.resendVerification(ctx)),
});
