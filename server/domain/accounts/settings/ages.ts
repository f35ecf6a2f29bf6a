import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import type { TxCtx } from '../../../runtime/ctx';
import { adultOrPermissionRequired, userNotFound } from '../base/errors';
import { assertAdultOrPermitted, assertOldEnough, isMinor } from '../base/rules';
import type { StatedAge } from '../base/schema';

/**
 * Checks in the caller's transaction that the user may have a creator page or join a paid membership, and stores what
 * they state about their age. A known birth date stays, so stating another one does not help.
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

/**
 * The same check for a purchase, which does not ask for a date (docs/decisions/0186): buyers of unknown age confirm
 * their age, and minors confirm a parent's permission, which is stored.
 * @throws account.adult_or_permission_required, account.too_young
 */
export async function confirmAdult(
  tx: TxCtx,
  userId: number,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  const [user] = await tx.db.select().from(users).where(eq(users.id, userId)).for('update');
  if (!user) throw userNotFound();
  const { birthDate, parentalPermissionAt } = user;
  const now = tx.now();
  assertOldEnough(birthDate ?? undefined, now);
  if (birthDate !== null && (!isMinor(birthDate, now) || parentalPermissionAt !== null)) return;
  if (!isConfirmed) throw adultOrPermissionRequired();
  if (birthDate !== null) await tx.db.update(users).set({ parentalPermissionAt: now }).where(eq(users.id, userId));
}
