import { defineError } from '../../base/errors';

/** The object's state leaves nothing to do: the action was done before, or is over. */
export const nothingToDo = defineError('console.nothing_to_do', 'conflict');
export const jobUnknown = defineError('console.job_unknown', 'not_found');
export const importUnknown = defineError('console.import_unknown', 'not_found');
/** The import's list was deleted when the import failed. */
export const listGone = defineError('console.list_gone', 'conflict');
/** Operators can't suspend themselves. */
export const notYourself = defineError('console.not_yourself', 'conflict');
export const bankMissing = defineError('console.bank_missing', 'conflict');
export const announcementTime = defineError('console.announcement_time', 'invalid', { field: 'until' });
