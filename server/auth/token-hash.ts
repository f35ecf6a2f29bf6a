import { createHash } from 'node:crypto';

/** The stored form of a random token, so that a leak of the database gives no access. Tokens need no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
