import { defineError } from '../../base/errors';

export const incidentNotFound = defineError('incident.not_found', 'not_found');
export const incidentIsResolved = defineError('incident.resolved', 'conflict');
/** It begins in the future or long ago, or ends before it begins. */
export const incidentTime = defineError('incident.time', 'invalid');
export const tooManyIncidents = defineError('incident.open_limit', 'conflict');
export const tooManyUpdates = defineError('incident.text_limit', 'conflict');
