import { and, eq, isNull, lt } from 'drizzle-orm';
import { emailTokens, sessions, users } from '~/db/schema/accounts';
import { VERIFY_EMAIL_PATH } from '../../../base/public-paths';
import { requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import {
  consumeEmailLink,
  createEmailLink,
  hasEnoughEmails,
  queueAccountEmail,
  readEmailLink,
} from '../base/email-links';
import { emailNotVerified } from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import { deleteStaleSetUps } from '../second-factors/authenticator';
import { deleteExpiredChallenges } from '../second-factors/login-challenges';

const purpose = 'verify_email';

/** Queues the email with the link that proves ownership of the address, and leads on to `next`. */
export async function queueVerificationEmail(tx: TxCtx, user: UserRow, next?: string): Promise<void> {
  const url = await createEmailLink(tx, user, { purpose, path: VERIFY_EMAIL_PATH, next });
  await queueAccountEmail(tx, user, { topic: purpose, url });
}

/** Verifies the address that received the link. Repeating it succeeds. @throws account.link_expired */
export async function verifyEmail(ctx: Ctx, { token }: { token: string }): Promise<{ email: string }> {
  return transact(ctx, async (tx) => {
    const { userId, isUsed } = await readEmailLink(tx, { token, purpose });
    if (!isUsed) {
      await consumeEmailLink(tx, { token, purpose });
      await markEmailVerified(tx, userId);
    }
    return { email: (await findUser(tx, userId)).email };
  });
}

/** Call it after the user has opened a link that was sent to their address. An earlier time stays. */
export async function markEmailVerified(tx: TxCtx, userId: number): Promise<void> {
  const unverified = and(eq(users.id, userId), isNull(users.emailVerifiedAt));
  await tx.db.update(users).set({ emailVerifiedAt: tx.now() }).where(unverified);
}

/** The state of a verification link, without using it up. @throws account.link_expired */
export async function verificationLink(ctx: Ctx, { token }: { token: string }): Promise<{ isVerified: boolean }> {
  const { isUsed } = await readEmailLink(ctx, { token, purpose });
  return { isVerified: isUsed };
}

/** Sends the current user another link, unless the address is already verified or has had enough emails today. */
export async function resendVerification(ctx: Ctx): Promise<void> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  if (user.emailVerifiedAt) return;
  await transact(ctx, async (tx) => {
    if (!(await hasEnoughEmails(tx, user, purpose))) await queueVerificationEmail(tx, user);
  });
}

/**
 * Only publishing waits for a verified address: otherwise a user could publish under another person's address.
 * @throws account.email_not_verified
 */
export async function requireVerifiedEmail(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.type !== 'user') return;
  if (!(await findUser(ctx, actor.userId)).emailVerifiedAt) throw emailNotVerified();
}

/** Deletes expired sessions, email links and pending logins, and unfinished set-ups of authenticator apps. */
export async function deleteExpired(ctx: Ctx): Promise<void> {
  await ctx.db.delete(sessions).where(lt(sessions.expiresAt, ctx.now()));
  await ctx.db.delete(emailTokens).where(lt(emailTokens.expiresAt, ctx.now()));
  await deleteExpiredChallenges(ctx);
  await deleteStaleSetUps(ctx);
}
