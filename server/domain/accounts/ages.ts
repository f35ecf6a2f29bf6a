import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import type { TxCtx } from '../../ctx';
import { userNotFound } from './errors';
import { assertAdultOrPermitted } from './rules';
import type { StatedAge } from './schema';

/**
 * Checks in the caller's transaction that the user may have a creator page or join a paid membership, and stores what they
 * state about their age. A birth date that is known stays, so nobody passes by stating another one.
 * @throws account.birth_date_required, account.too_young, account.parental_permission_required
 */
export async function requireAdult(tx: TxCtx, userId: number, stated: StatedAge): Promise<void> {
  const [user] = await tx.db.select().from(users).where(eq(users.id, userId)).for('update');
  if (!user) throw userNotFound();
  const now = tx.now();
  const birthDate = user.birthDate ?? stated.birthDate ?? null;
  const parentalPermissionAt = user.parentalPermissionAt ?? (stated.parentalPermission ? now : null);
  assertAdultOrPermitted({ birthDate, parentalPermissionAt }, now);
  await tx.db.update(users).set({ birthDate, parentalPermissionAt }).where(eq(users.id, userId));
}
