import { DAYS, SECONDS } from '../time';

export const ACCOUNT_LIMITS = {
  nameLength: 100,
  emailLength: 254,
  passwordMin: 8,
  passwordMax: 200,
  ageMin: 13,
} as const;

/** `keptFor`: in the memory of a web process, for at most `kept` sessions. */
export const SESSION_LIMITS = { lifetime: DAYS(40), days: 40, keptFor: SECONDS(5), kept: 5000 } as const;

/** A browser is recognized at its next login for this long. */
export const DEVICE_LIMITS = { lifetime: DAYS(365) } as const;

export const VERIFICATION_LIMITS = { lifetime: DAYS(2) } as const;
