import { defineError } from '../../errors';

export const notFree = defineError('access.not_free', 'invalid');
