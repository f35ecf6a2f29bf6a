import { defineError } from '../../base/errors';

export const notFree = defineError('access.not_free', 'invalid');
