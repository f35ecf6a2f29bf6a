import { ACCOUNT_LIMITS } from '../../limits/accounts';
import { birthDateRequired, parentalPermissionRequired, tooYoung } from './errors';

/** Whole years between a birth date (`YYYY-MM-DD`) and `now`, in UTC. */
export function ageAt(birthDate: string, now: Date): number {
  const [year = 0, month = 0, day = 0] = birthDate.split('-').map(Number);
  const hadBirthday = now.getUTCMonth() + 1 > month || (now.getUTCMonth() + 1 === month && now.getUTCDate() >= day);
  return now.getUTCFullYear() - year - (hadBirthday ? 0 : 1);
}

/** @throws account.too_young below 13 years (spec §5) */
export function assertOldEnough(birthDate: string | undefined, now: Date): void {
  if (birthDate !== undefined && ageAt(birthDate, now) < ACCOUNT_LIMITS.ageMin) throw tooYoung();
}

export type KnownAge = { birthDate: string | null; parentalPermissionAt: Date | null };

/** Whether somebody with this birth date needs a parent's permission for a creator page or a paid membership (spec §5). */
export function isMinor(birthDate: string, now: Date): boolean {
  return ageAt(birthDate, now) < ACCOUNT_LIMITS.ageAdult;
}

/**
 * Checks whether a user may have a creator page or join a paid membership (spec §5).
 * @throws account.birth_date_required, account.too_young, account.parental_permission_required
 */
export function assertAdultOrPermitted({ birthDate, parentalPermissionAt }: KnownAge, now: Date): void {
  if (birthDate === null) throw birthDateRequired();
  assertOldEnough(birthDate, now);
  if (isMinor(birthDate, now) && parentalPermissionAt === null) throw parentalPermissionRequired();
}
