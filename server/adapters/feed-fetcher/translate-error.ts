import { errors } from 'undici';
import { AppError } from '../../base/errors';
import { bodyCut, certificateInvalid, connectionFailed, headersTooLarge, responseInvalid, timedOut } from './errors';

/** Translates a network error to one of ours. The original becomes the cause, for the log. */
export function translateError(error: unknown, host: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  const ours = findAppError(error);
  if (ours) return ours;
  // an unknown error is a bug of ours, and must not look like a fault of the server
  const create = matchingError(error);
  return create ? Object.assign(create({ host }), { cause: error }) : error;
}

/** Translates an error after the body has started: a connection that fails now cuts the body off. */
export function translateBodyError(error: unknown, { host, signal }: { host: string; signal: AbortSignal }): unknown {
  const translated = translateError(error, host, signal);
  const isCut = translated instanceof AppError && translated.code === connectionFailed().code;
  return isCut ? Object.assign(bodyCut({ host }), { cause: error }) : translated;
}

/** Finds an error of ours that came through the socket or a stream, perhaps among the errors of several addresses. */
function findAppError(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
    if (cause instanceof AggregateError && cause.errors[0] instanceof AppError) return cause.errors[0];
  }
  return null;
}

function matchingError(error: unknown): typeof timedOut | null {
  if (error instanceof errors.HeadersOverflowError) return headersTooLarge;
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError) return timedOut;
  if (error instanceof errors.BodyTimeoutError) return timedOut;
  if (error instanceof errors.ResponseContentLengthMismatchError) return bodyCut;
  if (error instanceof errors.HTTPParserError) return responseInvalid;
  const code = (error as NodeJS.ErrnoException)?.code ?? '';
  if (/^Z_|^ERR_.*(?:BROTLI|ZLIB)|^ERR__ERROR/.test(code)) return responseInvalid;
  if (/CERT|SIGNATURE/.test(code)) return certificateInvalid;
  return code ? connectionFailed : null;
}
