import { defineError } from '../../errors';

export const archiveRunning = defineError('archive.running', 'conflict');
export const tooManyArchives = defineError('archive.day_limit', 'too_many');
/** Also for everybody but the owner. */
export const archiveExpired = defineError('archive.expired', 'expired');
