import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & { child(facts: Record<string, unknown>): Log };
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What must never stand in a log, wherever an object that carries it is logged. */
const SECRETS = ['password', 'token', 'secret', 'authorization', 'cookie', 'set-cookie'];

/** One JSON object a line on standard output (or `destination`); `child` adds facts such as the request's id to every line. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[hidden]',
      },
    },
    destination,
  );
}
