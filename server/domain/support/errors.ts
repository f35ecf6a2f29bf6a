import { defineError } from '../../errors';

export const tooManyMessages = defineError('support.too_many_messages', 'too_many');
