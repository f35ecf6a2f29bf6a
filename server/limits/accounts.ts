import { DAYS } from '../time';

export const ACCOUNT_LIMITS = {
  nameLength: 100,
  emailLength: 254,
  passwordMin: 8,
  passwordMax: 200,
  ageMin: 13,
} as const;

export const SESSION_LIMITS = { lifetime: DAYS(40), days: 40 } as const;

export const VERIFICATION_LIMITS = { lifetime: DAYS(2) } as const;
