import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { checkPassword } from '../../../auth/passwords';
import { notAuthorized, tooManyRequests } from '../../../base/errors';
import { formatDate, localeOfUser } from '../../../base/formats';
import { UNDO_DELETION_PATH } from '../../../base/public-paths';
import { earlier, later, wholeSeconds } from '../../../base/time';
import { DELETION_LIMITS, EMAIL_LINK_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { deleteAccount } from '../../../queue/jobs/accounts';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import {
  consumeEmailLink,
  createEmailLink,
  hasEnoughEmails,
  queueAccountEmail,
  readEmailLink,
  revokeEmailLinks,
} from '../base/email-links';
import { linkExpired, wrongAddress, wrongPassword } from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import type { RequestDeletion } from '../base/schema';
import { hasSecondFactor, missingProof, type Proof, requireSecondFactor } from '../second-factors/second-factor';

const purpose = 'undo_deletion';

export type Deletion = { dueAt: Date };

/**
 * State for the settings page. `proof`: the proof that a request needs; null if the user proved the second factor
 * within the last ten minutes.
 */
export type DeletionState = { dueAt: Date | null; proof: Proof | 'address' | null };

export async function deletionState(ctx: Ctx): Promise<DeletionState> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  return { dueAt: user.deletionDueAt, proof: await proofOf(ctx, user) };
}

/**
 * The owner of an account without password and second factor types its address, to prevent deletion by mistake; the
 * email can undo it.
 */
async function proofOf(ctx: Ctx, user: UserRow): Promise<DeletionState['proof']> {
  if (await hasSecondFactor(ctx, user.id)) return missingProof(ctx);
  return user.passwordHash === null ? 'address' : 'password';
}

/**
 * Schedules the deletion of the current user's account, and emails a link to undo it. Repeating it changes nothing.
 * @throws account.wrong_password, account.wrong_address, account.second_factor_required, account.wrong_code,
 * common.too_many_requests the fourth time in a day
 */
export async function requestDeletion(ctx: Ctx, input: RequestDeletion): Promise<Deletion> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  await assertOwner(ctx, user, input);
  return scheduleDeletion(ctx, user);
}

/**
 * Requests the deletion for legacy clients, which send only their token (docs/decisions/0134). A browser's session is
 * not enough: a script on one of our pages could use it. @throws common.not_authorized
 */
export async function requestDeletionByToken(ctx: Ctx): Promise<Deletion> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  if (ctx.client.channel !== 'rest') throw notAuthorized();
  return scheduleDeletion(ctx, user);
}

async function assertOwner(ctx: Ctx, user: UserRow, input: RequestDeletion): Promise<void> {
  const proof = await proofOf(ctx, user);
  if (proof === 'second_factor') await requireSecondFactor(ctx, input);
  if (proof === 'password' && !(await checkPassword(user.passwordHash, input.currentPassword, ctx.client)))
    throw wrongPassword();
  if (proof === 'address' && input.address.trim().toLowerCase() !== user.email) throw wrongAddress();
}

async function scheduleDeletion(ctx: Ctx, user: UserRow): Promise<Deletion> {
  return transact(ctx, async (tx) => {
    const now = tx.now();
    const dueAt = later(now, DELETION_LIMITS.delay);
    const [scheduled] = await tx.db
      .update(users)
      .set({ deletionRequestedAt: now, deletionDueAt: dueAt })
      .where(and(eq(users.id, user.id), isNull(users.deletionDueAt)))
      .returning({ id: users.id });
    if (!scheduled) return { dueAt: (await findUser(tx, user.id)).deletionDueAt ?? dueAt };
    await tx.jobs.enqueue(deleteAccount, { userId: user.id }, { at: dueAt });
    await queueUndoEmail(tx, user, dueAt);
    return { dueAt };
  });
}

async function queueUndoEmail(tx: TxCtx, user: UserRow, dueAt: Date): Promise<void> {
  // without the email, the owner could not undo another person's request
  if (await hasEnoughEmails(tx, user, 'deletion_scheduled'))
    throw tooManyRequests(wholeSeconds(EMAIL_LINK_LIMITS.window));
  const url = await createEmailLink(tx, user, { purpose, path: UNDO_DELETION_PATH });
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: user.timeZone ?? 'UTC' } as const;
  const date = formatDate(dueAt, localeOfUser(user), format);
  await queueAccountEmail(tx, user, { topic: 'deletion_scheduled', url, date, zone: format.timeZone });
}

/**
 * Keeps the current user's account after all. Repeating it is harmless. @throws account.link_expired once the deletion
 * is due
 */
export async function cancelDeletion(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx);
  await transact(ctx, (tx) => keepAccount(tx, userId));
}

/** Checks whether a link still undoes a deletion, without using it up. @throws account.link_expired */
export async function undoDeletionLink(ctx: Ctx, { token }: { token: string }): Promise<{ dueAt: Date }> {
  const { userId, isUsed } = await readEmailLink(ctx, { token, purpose });
  const { deletionDueAt } = await findUser(ctx, userId);
  if (isUsed || !deletionDueAt || deletionDueAt <= ctx.now()) throw linkExpired();
  return { dueAt: deletionDueAt };
}

/** Cancels the deletion of the account that the link from the email belongs to. @throws account.link_expired */
export async function undoDeletion(ctx: Ctx, { token }: { token: string }): Promise<void> {
  await transact(ctx, async (tx) => {
    const { userId } = await consumeEmailLink(tx, { token, purpose });
    await keepAccount(tx, userId);
  });
}

/** Works only before the deletion is due: afterwards the job may have started. */
async function keepAccount(tx: TxCtx, userId: number): Promise<void> {
  const kept = await tx.db
    .update(users)
    .set({ deletionRequestedAt: null, deletionDueAt: null })
    .where(and(eq(users.id, userId), gt(users.deletionDueAt, tx.now())))
    .returning({ id: users.id });
  if (kept.length === 0 && (await findUser(tx, userId)).deletionDueAt) throw linkExpired();
  await revokeEmailLinks(tx, userId, purpose);
}

/** Enqueues due deletions again if their job ran out of attempts. */
export async function recoverDeletions(ctx: Ctx): Promise<void> {
  const overdue = and(isNotNull(users.deletionDueAt), isNull(users.deletedAt));
  const due = await ctx.db
    .select({ userId: users.id })
    .from(users)
    .where(and(overdue, lt(users.deletionDueAt, earlier(ctx.now(), DELETION_LIMITS.recoveredAfter))))
    .limit(DELETION_LIMITS.recovered);
  await transact(ctx, async (tx) => {
    for (const { userId } of due) await tx.jobs.enqueue(deleteAccount, { userId });
  });
}
