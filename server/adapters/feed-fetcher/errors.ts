import { AppError, defineError } from '../../errors';

/**
 * Why a stranger's server gave us nothing: facts about it or about its address, never a fault of ours. `host` is the
 * one that was asked. What is `upstream` may pass by itself; the rest stays as it is until somebody changes it.
 */
export const addressInvalid = defineError('fetch.address_invalid', 'invalid');
export const addressPrivate = defineError('fetch.address_private', 'invalid');
export const portForbidden = defineError('fetch.port_forbidden', 'invalid');
export const nameUnknown = defineError('fetch.name_unknown', 'invalid');
export const certificateInvalid = defineError('fetch.certificate_invalid', 'invalid');
export const tooManyRedirects = defineError('fetch.too_many_redirects', 'invalid');
/** Neither HTTP nor what the headers say it is. */
export const answerInvalid = defineError('fetch.answer_invalid', 'invalid');
export const headersTooLarge = defineError('fetch.headers_too_large', 'invalid');
export const encodingUnknown = defineError('fetch.encoding_unknown', 'invalid');
/** `status` says which. */
export const statusUnexpected = defineError('fetch.status_unexpected', 'invalid');
export const bodyTooLarge = defineError('fetch.body_too_large', 'too_large');
/** Another file than the one whose checksum or length we had. */
export const changedMeanwhile = defineError('fetch.changed_meanwhile', 'conflict');
/** The host asked to be left alone for `seconds`. */
export const hostBusy = defineError('fetch.host_busy', 'too_many');
/** A fault of the server's own (5xx): `status` says which. */
export const serverFailing = defineError('fetch.server_failing', 'upstream');
export const timedOut = defineError('fetch.timed_out', 'upstream');
export const connectionFailed = defineError('fetch.connection_failed', 'upstream');
export const bodyCut = defineError('fetch.body_cut', 'upstream');

/** What to say of an answer that is not the one that was asked for. */
export function unwanted({ host, status }: { host: string; status: number }): AppError {
  return (status >= 500 ? serverFailing : statusUnexpected)({ host, status });
}

/** It may go better in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'upstream';
}

/** Asking again brings the same, unless the stranger changes something. */
export function isFinal(error: unknown): boolean {
  return error instanceof AppError && error.kind !== 'upstream' && error.kind !== 'too_many';
}
