import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { checkPassword, hashPassword } from '../../../auth/passwords';
import { FORGOT_PASSWORD_PATH, RESET_PASSWORD_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { requireUser } from '../../../policy/actor';
import { sendPasswordReset } from '../../../queue/jobs/accounts';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import {
  consumeEmailLink,
  createEmailLink,
  hasEnoughEmails,
  queueAccountEmail,
  readEmailLink,
  revokeEmailLinks,
} from '../base/email-links';
import { wrongPassword } from '../base/errors';
import { findUser, lookupUserByEmail, type UserRow } from '../base/queries';
import type { ChangePassword, RequestPasswordReset, ResetPassword } from '../base/schema';
import { deletePendingLogIns } from '../second-factors/login-challenges';
import { requireConfirmation, requireSecondFactor } from '../second-factors/second-factor';
import { markEmailVerified } from './mark-verified';
import { deleteLoginsOf, deleteSessionsOf } from './sessions';
import { listWorkingAccess } from './working-access';

const purpose = 'reset_password';

export async function readSecurity(ctx: Ctx): Promise<{ hasPassword: boolean }> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  return { hasPassword: user.passwordHash !== null };
}

/**
 * Requests the email with the link. Only the job looks for the account, so neither answer nor timing reveals whether it
 * exists.
 */
export async function requestPasswordReset(ctx: Ctx, { email }: RequestPasswordReset): Promise<void> {
  await transact(ctx, (tx) => tx.jobs.enqueue(sendPasswordReset, { email }));
}

/** Queues the email with the link, at most three times a day. Does nothing for an unknown address. */
export async function queuePasswordReset(ctx: Ctx, { email }: RequestPasswordReset): Promise<void> {
  const user = await lookupUserByEmail(ctx, email);
  if (!user || user.deletedAt) return;
  await transact(ctx, async (tx) => {
    if (await hasEnoughEmails(tx, user, 'reset_password')) return;
    const url = await createEmailLink(tx, user, { purpose, path: RESET_PASSWORD_PATH });
    await queueAccountEmail(tx, user, { topic: 'reset_password', url });
  });
}

/** Whether a link still works, without using it up. @throws account.link_expired */
export async function passwordResetLink(ctx: Ctx, { token }: { token: string }): Promise<{ isUsable: boolean }> {
  const { isUsed } = await readEmailLink(ctx, { token, purpose });
  return { isUsable: !isUsed };
}

/**
 * Sets a new password with the link from the email, and ends all sessions. The link also proves the address. It does
 * not log in, because that may need a second factor. Until an address is verified, another person may have signed up
 * with it, so the account's other ways to log in end as well. @throws account.link_expired
 */
export async function resetPassword(ctx: Ctx, { token, password }: ResetPassword): Promise<{ email: string }> {
  // an expired link must not cost a password hash
  await readEmailLink(ctx, { token, purpose });
  const passwordHash = await hashPassword(password, ctx.client);
  const user = await transact(ctx, async (tx) => {
    const { userId } = await consumeEmailLink(tx, { token, purpose });
    const row = await findUser(tx, userId);
    await setPassword(tx, row, passwordHash);
    await markEmailVerified(tx, userId);
    await (row.emailVerifiedAt ? deleteSessionsOf(tx, userId) : deleteLoginsOf(tx, userId));
    return row;
  });
  await ctx.sessions.announceEnded();
  return { email: user.email };
}

/**
 * Changes the password, or sets the first password of an account without one, and ends all other sessions. An account
 * with a second factor must prove it: a password that was read over the user's shoulder is not enough.
 * @throws account.wrong_password; account.second_factor_required, account.wrong_code; account.confirmation_required for
 * the first password, if the account has a second factor
 */
export async function changePassword(ctx: Ctx, input: ChangePassword): Promise<void> {
  const { userId, sessionId } = requireUser(ctx);
  const user = await findUser(ctx, userId);
  await requireProofForPassword(ctx, user, input);
  const passwordHash = await hashPassword(input.password, ctx.client);
  await transact(ctx, async (tx) => {
    await setPassword(tx, user, passwordHash);
    await deleteSessionsOf(tx, userId, { except: sessionId });
  });
  await ctx.sessions.announceEnded();
}

/** The code comes last, because each counts once, and a wrong password must not use it up. */
async function requireProofForPassword(
  ctx: Ctx,
  { passwordHash }: UserRow,
  { currentPassword, code }: ChangePassword,
): Promise<void> {
  if (passwordHash === null) return requireConfirmation(ctx);
  if (!(await checkPassword(passwordHash, currentPassword, ctx.client))) throw wrongPassword();
  await requireSecondFactor(ctx, { code });
}

/** Stores the hash, invalidates unused links and unfinished logins, and tells the owner, also what still works without it. */
async function setPassword(tx: TxCtx, user: UserRow, passwordHash: string): Promise<void> {
  await tx.db.update(users).set({ passwordHash, updatedAt: tx.now() }).where(eq(users.id, user.id));
  await revokeEmailLinks(tx, user.id, purpose);
  await deletePendingLogIns(tx, user.id);
  const prefix = user.language ? languagePrefix(user.language) : '';
  const names = await listWorkingAccess(tx, user.id);
  const wording = names.length > 0 ? 'password_changed_with_access' : 'password_changed';
  const url = tx.urls.app(prefix + FORGOT_PASSWORD_PATH);
  await queueAccountEmail(tx, user, { topic: 'password_changed', wording, url, names: names.join(', ') });
}
