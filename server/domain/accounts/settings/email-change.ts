import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { emailChanges, users } from '~/db/schema/accounts';
import { CONFIRM_EMAIL_PATH } from '../../../base/account-paths';
import { LOGIN_PATH } from '../../../base/public-paths';
import { later } from '../../../base/time';
import { EMAIL_LINK_LIFETIMES } from '../../../limits/accounts';
import { isUser, requireUser } from '../../../policy/actor';
import { sendEmailChange } from '../../../queue/jobs/accounts';
import { moveContacts } from '../../../queue/jobs/audience';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import {
  consumeEmailLink,
  createEmailLink,
  hasEnoughEmails,
  queueAccountEmail,
  readEmailLink,
  requireSessionOf,
  revokeEmailLinks,
} from '../base/email-links';
import { emailTaken, linkExpired } from '../base/errors';
import { findUser, lookupUserByEmail, type UserRow } from '../base/queries';
import type { ConfirmEmailChange, RequestEmailChange } from '../base/schema';
import { enqueueVerified } from '../logins/mark-verified';

export type EmailSide = 'old' | 'new';
export type EmailChange = { newEmail: string; isOldConfirmed: boolean; isNewConfirmed: boolean };
const PURPOSES = { old: 'confirm_old_email', new: 'confirm_new_email' } as const;

/**
 * Starts a change of address, which replaces an unfinished one. Only the job checks whether the new address has an
 * account, so neither answer nor timing reveals it.
 */
export async function requestEmailChange(ctx: Ctx, { email }: RequestEmailChange): Promise<void> {
  const { userId } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const fresh = {
      newEmail: email,
      oldConfirmedAt: null,
      newConfirmedAt: null,
      createdAt: now,
      expiresAt: later(now, EMAIL_LINK_LIFETIMES.confirm_new_email),
    };
    await tx.db
      .insert(emailChanges)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: emailChanges.userId, set: fresh });
    for (const side of ['old', 'new'] as const) await revokeEmailLinks(tx, userId, PURPOSES[side]);
    await tx.jobs.enqueue(sendEmailChange, { userId });
  });
}

/** Queues the links to both addresses. If the new one has an account, its owner gets a notice instead of a link. */
export async function queueEmailChange(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const [user, change] = [await findUser(tx, userId), await lockChange(tx, userId)];
    if (!change) return;
    const atNewAddress = { ...user, email: change.newEmail, emailVerifiedAt: null };
    if (await hasEnoughEmails(tx, atNewAddress, 'confirm_new_email')) return;
    if (await lookupUserByEmail(tx, change.newEmail)) {
      return queueAccountEmail(tx, atNewAddress, { topic: 'email_in_use', url: tx.urls.app(LOGIN_PATH) });
    }
    await queueConfirmation(tx, atNewAddress, 'new', change.newEmail);
    await queueConfirmation(tx, user, 'old', change.newEmail);
  });
}

async function queueConfirmation(tx: TxCtx, to: UserRow, side: EmailSide, newEmail: string): Promise<void> {
  const purpose = PURPOSES[side];
  const url = await createEmailLink(tx, to, { purpose, path: `${CONFIRM_EMAIL_PATH}/${side}` });
  await queueAccountEmail(tx, to, { topic: purpose, url, newEmail });
}

type LinkedChange = { newEmail: string; mayConfirm: boolean };

/**
 * Describes the change that a link confirms, without using the link up. `mayConfirm`: whether this session may.
 * @throws account.link_expired
 */
export async function emailChangeLink(ctx: Ctx, { token, side }: ConfirmEmailChange): Promise<LinkedChange> {
  const { userId, isUsed } = await readEmailLink(ctx, { token, purpose: PURPOSES[side] });
  const change = await lookupChange(ctx, userId);
  if (isUsed || !change) throw linkExpired();
  return { newEmail: change.newEmail, mayConfirm: side === 'old' || isUser(ctx.actor, userId) };
}

/**
 * Confirms one side. The address changes when both sides are confirmed.
 * @throws account.link_expired; account.link_of_other_account for the new side; account.email_taken if another user has
 * signed up with the address since
 */
export async function confirmEmailChange(ctx: Ctx, { token, side }: ConfirmEmailChange): Promise<{ isDone: boolean }> {
  return transact(ctx, async (tx) => {
    const { userId } = await consumeEmailLink(tx, { token, purpose: PURPOSES[side] });
    if (side === 'new') requireSessionOf(ctx, userId);
    const now = tx.now();
    await tx.db
      .update(emailChanges)
      .set(side === 'old' ? { oldConfirmedAt: now } : { newConfirmedAt: now })
      .where(eq(emailChanges.userId, userId));
    return { isDone: await applyIfConfirmed(tx, userId) };
  }).catch((error: unknown) => {
    throw violates(error, 'users_email_once') ? emailTaken() : error;
  });
}

async function applyIfConfirmed(tx: TxCtx, userId: number): Promise<boolean> {
  const [change] = await tx.db
    .delete(emailChanges)
    .where(
      and(
        eq(emailChanges.userId, userId),
        isNotNull(emailChanges.oldConfirmedAt),
        isNotNull(emailChanges.newConfirmedAt),
        gt(emailChanges.expiresAt, tx.now()),
      ),
    )
    .returning();
  if (!change) return false;
  const now = tx.now();
  const { emailVerifiedAt } = await findUser(tx, userId);
  await tx.db
    .update(users)
    .set({ email: change.newEmail, emailVerifiedAt: now, updatedAt: now })
    .where(eq(users.id, userId));
  await enqueueVerified(tx, userId, { isFirst: emailVerifiedAt === null });
  await tx.jobs.enqueue(moveContacts, { userId });
  // another person may read the old address from now on
  await revokeEmailLinks(tx, userId, 'reset_password');
  return true;
}

/** The current user's unfinished change; null without one. */
export async function currentEmailChange(ctx: Ctx): Promise<EmailChange | null> {
  const change = await lookupChange(ctx, requireUser(ctx).userId);
  if (!change) return null;
  const { newEmail, oldConfirmedAt, newConfirmedAt } = change;
  return { newEmail, isOldConfirmed: oldConfirmedAt !== null, isNewConfirmed: newConfirmedAt !== null };
}

/** Cancels an unfinished change; its links stop working. */
export async function cancelEmailChange(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx);
  await ctx.db.delete(emailChanges).where(eq(emailChanges.userId, userId));
}

const selectChange = (ctx: Ctx, userId: number) =>
  ctx.db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, ctx.now())));

async function lookupChange(ctx: Ctx, userId: number) {
  return (await selectChange(ctx, userId))[0] ?? null;
}

/** Serializes requests: a second one waits, and then invalidates the links that the first one has created. */
async function lockChange(tx: TxCtx, userId: number) {
  return (await selectChange(tx, userId).for('update'))[0] ?? null;
}
