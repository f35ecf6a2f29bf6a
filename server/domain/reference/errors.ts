import { defineError } from '../../base/errors';

/** Also thrown for an announcement that is not shown now. */
export const announcementNotFound = defineError('announcement.not_found', 'not_found');
/** An operator has switched the feature off for now. */
export const switchedOff = defineError('switch.off', 'forbidden');
