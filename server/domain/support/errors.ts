import { defineError } from '../../base/errors';

export const tooManyMessages = defineError('support.too_many_messages', 'too_many');
export const alreadyReported = defineError('report.already_open', 'conflict');
