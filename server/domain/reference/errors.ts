import { defineError } from '../../base/errors';

/** Or not shown now. */
export const announcementNotFound = defineError('announcement.not_found', 'not_found');
/** By an operator, for now. */
export const switchedOff = defineError('switch.off', 'forbidden');
