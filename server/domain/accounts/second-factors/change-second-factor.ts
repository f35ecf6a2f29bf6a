import { and, eq, ne } from 'drizzle-orm';
import { sessions, users } from '~/db/schema/accounts';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { hashToken } from '../../../auth/token-hash';
import { SECURITY_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../base/email-links';
import type { UserRow } from '../base/queries';
import { createRecoveryCodes, deleteRecoveryCodes } from './recovery-codes';
import { hasSecondFactor, markConfirmed, requireConfirmation } from './second-factor';

/**
 * Recovery codes, shown once: after the first second factor was added, or when they are replaced. Null if they stay the
 * same.
 */
export type NewRecoveryCodes = { recoveryCodes: string[] | null };

type AddedEmail = { topic: 'authenticator_added' } | { topic: 'passkey_added'; passkey: string };
type RemovedEmail = { topic: 'authenticator_removed' } | { topic: 'passkey_removed'; passkey: string };
type Addition = { email: AddedEmail; insert(tx: TxCtx): Promise<void> };

/** Adds a second factor to the current user, and tells the owner. The first one creates recovery codes. */
export async function addSecondFactor(ctx: Ctx, user: UserRow, { email, insert }: Addition): Promise<NewRecoveryCodes> {
  return transact(ctx, async (tx) => {
    await lockUser(tx, user.id);
    const isFirst = !(await hasSecondFactor(tx, user.id));
    await insert(tx);
    await markConfirmed(tx);
    if (isFirst) await forgetOtherConfirmations(tx);
    await queueSecurityEmail(tx, user, email);
    return { recoveryCodes: isFirst ? await createRecoveryCodes(tx, user.id) : null };
  });
}

/**
 * Call it after a second factor was deleted: tells the owner. If it was the last one, the recovery codes are deleted.
 */
export async function removeSecondFactor(tx: TxCtx, user: UserRow, email: RemovedEmail): Promise<void> {
  if (!(await hasSecondFactor(tx, user.id))) await deleteRecoveryCodes(tx, user.id);
  await queueSecurityEmail(tx, user, email);
}

/** Replaces the recovery codes of an account with a second factor. @throws account.confirmation_required */
export async function replaceRecoveryCodes(ctx: Ctx): Promise<NewRecoveryCodes> {
  await requireConfirmation(ctx);
  const { userId } = requireUser(ctx);
  return transact(ctx, async (tx) => {
    await lockUser(tx, userId);
    return { recoveryCodes: (await hasSecondFactor(tx, userId)) ? await createRecoveryCodes(tx, userId) : null };
  });
}

/** Serializes changes of second factors: two concurrent first ones would each create codes. */
export async function lockUser(tx: TxCtx, userId: number): Promise<void> {
  await tx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
}

/** A password that was proven in another session is no longer enough. */
async function forgetOtherConfirmations(tx: TxCtx): Promise<void> {
  const { userId, sessionId } = requireUser(tx);
  await tx.db
    .update(sessions)
    .set({ confirmedAt: null })
    .where(and(eq(sessions.userId, userId), ne(sessions.id, hashToken(sessionId))));
}

async function queueSecurityEmail(tx: TxCtx, user: UserRow, email: AddedEmail | RemovedEmail): Promise<void> {
  const url = tx.urls.app(languagePrefix(user.language ?? DEFAULT_LANGUAGE) + SECURITY_PATH);
  await queueAccountEmail(tx, user, { ...email, url });
}
