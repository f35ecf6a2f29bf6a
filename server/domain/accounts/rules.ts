import { ACCOUNT_LIMITS } from '../../limits/accounts';
import { tooYoung } from './errors';

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
