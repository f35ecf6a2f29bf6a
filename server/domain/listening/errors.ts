import { defineError } from '../../errors';

export const listenTooShort = defineError('listening.too_short', 'invalid', { field: 'seconds' });
