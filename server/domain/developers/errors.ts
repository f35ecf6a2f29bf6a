import { defineError } from '../../base/errors';

export const keyNotFound = defineError('key.not_found', 'not_found');
export const keyLimitReached = defineError('key.limit_reached', 'limit_reached');
export const idempotencyMismatch = defineError('api.idempotency_mismatch', 'conflict');
export const idempotencyRunning = defineError('api.idempotency_running', 'conflict');
export const keyEnded = defineError('key.ended', 'conflict');
