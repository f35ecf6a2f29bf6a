import { DAYS } from '../time';

export const MAIL_LIMITS = { attempts: 6 } as const;

export const OUTBOX_LIMITS = { retention: DAYS(30) } as const;
