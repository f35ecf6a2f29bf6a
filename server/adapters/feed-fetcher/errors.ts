import { AppError, defineError } from '../../base/errors';

/**
 * Why a fetch from another server failed: faults of that server or its address, never ours. `host` is the server.
 * Errors of kind `upstream` may be temporary; the others persist until the address or the server changes.
 */
export const addressInvalid = defineError('fetch.address_invalid', 'invalid');
export const addressPrivate = defineError('fetch.address_private', 'invalid');
export const portForbidden = defineError('fetch.port_forbidden', 'invalid');
export const nameUnknown = defineError('fetch.name_unknown', 'invalid');
export const certificateInvalid = defineError('fetch.certificate_invalid', 'invalid');
export const tooManyRedirects = defineError('fetch.too_many_redirects', 'invalid');
/**
 * The URL redirects to an address that the caller asked to be told about. `isPermanent` (1 or 0): every step was
 * permanent.
 */
export const redirected = defineError('fetch.redirected', 'conflict');
/** The response is not HTTP, or contradicts its headers. */
export const responseInvalid = defineError('fetch.response_invalid', 'invalid');
export const headersTooLarge = defineError('fetch.headers_too_large', 'invalid');
export const encodingUnknown = defineError('fetch.encoding_unknown', 'invalid');
/** Not found, or gone. */
export const fileMissing = defineError('fetch.file_missing', 'invalid');
export const statusUnexpected = defineError('fetch.status_unexpected', 'invalid');
export const bodyTooLarge = defineError('fetch.body_too_large', 'too_large');
/** The file does not have the checksum or length that we expected. */
export const changedMeanwhile = defineError('fetch.changed_meanwhile', 'conflict');
/** The host asked us to retry in `seconds`. */
export const hostBusy = defineError('fetch.host_busy', 'too_many');
/** A server error (5xx), given by `status`. */
export const serverFailing = defineError('fetch.server_failing', 'upstream');
export const timedOut = defineError('fetch.timed_out', 'upstream');
export const connectionFailed = defineError('fetch.connection_failed', 'upstream');
export const bodyCut = defineError('fetch.body_cut', 'upstream');

const MISSING = new Set([404, 410]);

/** The error for a response with an unexpected status. */
export function statusError({ host, status }: { host: string; status: number }): AppError {
  if (MISSING.has(status)) return fileMissing({ host, status });
  return (status >= 500 ? serverFailing : statusUnexpected)({ host, status });
}

/** Whether a retry may succeed. */
export function isTemporary(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'upstream';
}

/** Whether a retry would fail in the same way. */
export function isPermanent(error: unknown): boolean {
  return error instanceof AppError && error.kind !== 'upstream' && error.kind !== 'too_many';
}
