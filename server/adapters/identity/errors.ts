import { defineError } from '../../base/errors';

/** The person declined at the provider. */
export const denied = defineError('identity.denied', 'invalid');
/** The answer does not belong to this log-in, or is not the provider's. */
export const rejected = defineError('identity.rejected', 'invalid');
export const unreachable = defineError('identity.unavailable', 'upstream');
