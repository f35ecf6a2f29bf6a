import { defineError } from '../../base/errors';

export const backupRunning = defineError('archive.running', 'conflict');
export const tooManyBackups = defineError('archive.day_limit', 'too_many');
/** Also thrown for users other than the owner. */
export const backupExpired = defineError('archive.expired', 'expired');

/** Errors of an import. `name`: the name of an entry. */
export const notABackup = defineError('archive.not_an_archive', 'invalid');
export const badBackup = defineError('archive.bad', 'invalid');
export const otherVersion = defineError('archive.other_version', 'invalid');
export const damagedEntry = defineError('archive.damaged', 'invalid');
export const unsafeValue = defineError('archive.unsafe_value', 'invalid');
export const domainTaken = defineError('archive.domain_taken', 'conflict');
export const creatorHere = defineError('archive.creator_here', 'conflict');
export const ownerHasPage = defineError('archive.owner_has_page', 'conflict');
export const ownerUnverified = defineError('archive.owner_unverified', 'conflict');
