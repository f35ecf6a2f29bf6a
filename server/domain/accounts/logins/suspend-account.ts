import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { CONTACT_PATH } from '../../../base/public-paths';
import type { TxCtx } from '../../../runtime/ctx';
import { queueAccountEmail } from '../base/email-links';
import { findUser } from '../base/queries';
import { deletePendingLogIns } from '../second-factors/login-challenges';
import { deleteSessionsOf } from './sessions';

/**
 * Suspends an account: its sessions end, logging in fails, and its owner is told why. Its pages stay, and so does
 * access that others have paid for. Afterwards, `ctx.sessions.announceEnded` tells all processes. @returns whether this
 * call has done it
 */
export async function suspendAccount(tx: TxCtx, userId: number, reason: string): Promise<boolean> {
  const isOpen = and(eq(users.id, userId), isNull(users.suspendedAt), isNull(users.deletedAt));
  const suspended = await tx.db
    .update(users)
    .set({ suspendedAt: tx.now(), updatedAt: tx.now() })
    .where(isOpen)
    .returning({ id: users.id });
  if (suspended.length === 0) return false;
  await deleteSessionsOf(tx, userId);
  await deletePendingLogIns(tx, userId);
  await tellOwner(tx, userId, { topic: 'account_suspended', reason });
  return true;
}

/** @returns whether this call has done it */
export async function restoreAccount(tx: TxCtx, userId: number): Promise<boolean> {
  const restored = await tx.db
    .update(users)
    .set({ suspendedAt: null, updatedAt: tx.now() })
    .where(and(eq(users.id, userId), isNotNull(users.suspendedAt)))
    .returning({ id: users.id });
  if (restored.length === 0) return false;
  await tellOwner(tx, userId, { topic: 'account_restored' });
  return true;
}

type SuspensionNews = { topic: 'account_suspended'; reason: string } | { topic: 'account_restored' };

async function tellOwner(tx: TxCtx, userId: number, facts: SuspensionNews): Promise<void> {
  await queueAccountEmail(tx, await findUser(tx, userId), { ...facts, url: tx.urls.app(CONTACT_PATH) });
}
