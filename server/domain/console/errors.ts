import { defineError } from '../../base/errors';

/** Nothing to do in the state that it is in: done before, or over. */
export const nothingToDo = defineError('console.nothing_to_do', 'conflict');
export const jobUnknown = defineError('console.job_unknown', 'not_found');
export const importUnknown = defineError('console.import_unknown', 'not_found');
/** Its list was deleted when it failed. */
export const listGone = defineError('console.list_gone', 'conflict');
/** Nobody shuts themselves out. */
export const notYourself = defineError('console.not_yourself', 'conflict');
export const bankMissing = defineError('console.bank_missing', 'conflict');
export const announcementTime = defineError('console.announcement_time', 'invalid', { field: 'until' });
