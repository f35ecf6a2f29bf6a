import { errors } from 'undici';
import { AppError } from '../../errors';
import { answerInvalid, bodyCut, certificateInvalid, connectionFailed, headersTooLarge, timedOut } from './errors';

/** What went wrong on the line, in our words; the original stays as the cause, for the log. */
export function refusal(error: unknown, host: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  const ours = ownWords(error);
  if (ours) return ours;
  // an error that nothing tells is a fault of our own, and must not look like one of theirs
  const told = translated(error);
  return told ? Object.assign(told({ host }), { cause: error }) : error;
}

/** The same once a body has begun to come: a line that fails now cuts it off. */
export function bodyRefusal(error: unknown, { host, signal }: { host: string; signal: AbortSignal }): unknown {
  const refused = refusal(error, host, signal);
  const isCut = refused instanceof AppError && refused.code === connectionFailed().code;
  return isCut ? Object.assign(bodyCut({ host }), { cause: error }) : refused;
}

/** One of ours that came through the socket or a stream, maybe among the failures of several addresses. */
function ownWords(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
    if (cause instanceof AggregateError && cause.errors[0] instanceof AppError) return cause.errors[0];
  }
  return null;
}

function translated(error: unknown): typeof timedOut | null {
  if (error instanceof errors.HeadersOverflowError) return headersTooLarge;
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError) return timedOut;
  if (error instanceof errors.BodyTimeoutError) return timedOut;
  if (error instanceof errors.ResponseContentLengthMismatchError) return bodyCut;
  if (error instanceof errors.HTTPParserError) return answerInvalid;
  const code = (error as NodeJS.ErrnoException)?.code ?? '';
  if (/^Z_|^ERR_.*(?:BROTLI|ZLIB)|^ERR__ERROR/.test(code)) return answerInvalid;
  if (/CERT|SIGNATURE/.test(code)) return certificateInvalid;
  return code ? connectionFailed : null;
}
