import { DAYS } from '../time';

export const MAIL_LIMITS = { attempts: 6 } as const;

export const OUTBOX_LIMITS = { kept: DAYS(30) } as const;
