import { type DestinationStream, type LogFn, type Logger, pino, symbols } from 'pino';
import { toLoggableError } from '../base/loggable-error';
import type { LogLevel } from '../env/process';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & { child(facts: Record<string, unknown>): Log };

/** Lines are collected for some milliseconds, because the stream copies its buffer for each write. */
const LINE_DELAY = 20;
const LINES_LENGTH = 16_384;

/** `flush` is called at the end of the process. */
export type LineWriter = { write(line: string): void; flush(): void };

/** Fields that are hidden in every logged object. */
const SECRETS = ['password', 'token', 'secret', 'authorization', 'cookie', 'set-cookie'];

/**
 * Writes one JSON object per line to standard output or `destination`; `child` adds fields such as a request id to
 * each.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toLoggableError },
      hooks: { logMethod: withMessage },
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[hidden]',
      },
    },
    destination,
  );
}

/**
 * Writes finished lines of the level `info` that are too many for pino, which takes several microseconds for each. Null
 * if the level is higher.
 */
export function lineWriter(log: Log): LineWriter | null {
  const logger = log as Logger;
  if (!logger.isLevelEnabled('info')) return null;
  const stream = (logger as unknown as Record<symbol, DestinationStream>)[symbols.streamSym];
  if (!stream) return null;
  let waiting = '';
  const flush = () => {
    if (waiting !== '') stream.write(waiting);
    waiting = '';
  };
  const write = (line: string) => {
    if (waiting === '') setTimeout(flush, LINE_DELAY).unref();
    waiting += line;
    if (waiting.length > LINES_LENGTH) flush();
  };
  return { write, flush };
}

/**
 * Standard output, written in pieces of 32 KB or twice a second: a write per request would take too long. The writes are
 * synchronous, as Node's own to a pipe are, so that a process that ends loses no piece which another thread still holds.
 * The pieces are buffers, because the stream measures and converts texts several times.
 */
export function bufferedLines(): DestinationStream {
  const output = pino.destination({
    sync: true,
    minLength: 32_768,
    maxWrite: 65_536,
    periodicFlush: 500,
    contentMode: 'buffer',
  });
  // also after an unhandled error
  process.once('exit', () => output.flushSync());
  return { write: (lines) => void output.write(Buffer.from(lines) as never) };
}

/** Without a message, pino would take the error's own, which may contain parameters of an SQL statement. */
function withMessage(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [facts, message] = args as [unknown, unknown];
  const hasError = facts instanceof Error || (typeof facts === 'object' && facts !== null && 'err' in facts);
  method.apply(this, hasError && message === undefined ? [facts as object, 'error'] : args);
}
