import { lt } from 'drizzle-orm';
import { emailTokens, sessions } from '~/db/schema/accounts';
import { VERIFY_EMAIL_PATH } from '../../../base/account-paths';
import { EMAIL_CODE_LIMITS, EMAIL_LINK_LIMITS } from '../../../limits/accounts';
import { isUser, requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import {
  consumeEmailLink,
  createEmailLink,
  hasEnoughEmails,
  queueAccountEmail,
  readEmailLink,
  requireSessionOf,
} from '../base/email-links';
import { emailNotVerified, enoughVerificationEmails } from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import { deleteStaleSetUps } from '../second-factors/authenticator';
import { deleteExpiredChallenges } from '../second-factors/login-challenges';
import { markEmailVerified } from './mark-verified';
import { createEmailCode, deleteOldCodes } from './verification-code';

const purpose = 'verify_email';

/**
 * Queues the email with the link and the code that prove ownership of the address, unless it had enough of them today.
 * The link leads on to `next`. @returns whether it was queued
 */
export async function queueVerificationEmail(tx: TxCtx, user: UserRow, next?: string): Promise<boolean> {
  // before the code, because a new one ends the one in the latest email
  if (await hasEnoughEmails(tx, user, purpose)) return false;
  const url = await createEmailLink(tx, user, { purpose, path: VERIFY_EMAIL_PATH, next });
  const code = await createEmailCode(tx, user);
  // buyers and people with a gift have an account without having signed up
  const wording = user.signedUpWith === 'email' ? 'verify_guest_email' : purpose;
  const minutes = String(EMAIL_CODE_LIMITS.minutes);
  await queueAccountEmail(tx, user, { topic: purpose, wording, url, code, minutes });
  return true;
}

/**
 * Verifies the address that received the link. Repeating it succeeds.
 * @throws account.link_expired, account.link_of_other_account
 */
export async function verifyEmail(ctx: Ctx, { token }: { token: string }): Promise<{ email: string }> {
  return transact(ctx, async (tx) => {
    const { userId, isUsed } = await readEmailLink(tx, { token, purpose });
    if (!isUsed) {
      requireSessionOf(ctx, userId);
      await consumeEmailLink(tx, { token, purpose });
      await markEmailVerified(tx, userId);
    }
    return { email: (await findUser(tx, userId)).email };
  });
}

type LinkState = { isVerified: boolean; isOfSession: boolean };

/** The state of a verification link, without using it up. @throws account.link_expired */
export async function verificationLink(ctx: Ctx, { token }: { token: string }): Promise<LinkState> {
  const { userId, isUsed } = await readEmailLink(ctx, { token, purpose });
  return { isVerified: isUsed, isOfSession: isUser(ctx.actor, userId) };
}

/**
 * Sends the current user another link and code, unless the address is already verified.
 * @throws account.enough_verification_emails
 */
export async function resendVerification(ctx: Ctx): Promise<void> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  if (user.emailVerifiedAt) return;
  await transact(ctx, async (tx) => {
    if (!(await queueVerificationEmail(tx, user)))
      throw enoughVerificationEmails({ seconds: EMAIL_LINK_LIMITS.window / 1000 });
  });
}

/**
 * Only publishing waits for a verified address: otherwise a user could publish under another person's address.
 * @throws account.email_not_verified
 */
export async function requireVerifiedEmail(ctx: Ctx): Promise<void> {
  if (!(await hasVerifiedEmail(ctx))) throw emailNotVerified();
}

/** Whether the current user has verified their address. Jobs need no address. */
export async function hasVerifiedEmail(ctx: Ctx): Promise<boolean> {
  const { actor } = ctx;
  return actor.type !== 'user' || (await findUser(ctx, actor.userId)).emailVerifiedAt !== null;
}

/** Deletes expired sessions, email links and pending logins, and unfinished set-ups of authenticator apps. */
export async function deleteExpired(ctx: Ctx): Promise<void> {
  await ctx.db.delete(sessions).where(lt(sessions.expiresAt, ctx.now()));
  await ctx.db.delete(emailTokens).where(lt(emailTokens.expiresAt, ctx.now()));
  await deleteOldCodes(ctx);
  await deleteExpiredChallenges(ctx);
  await deleteStaleSetUps(ctx);
}
