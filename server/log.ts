import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & { child(facts: Record<string, unknown>): Log };
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields that are hidden in every logged object. */
const SECRETS = ['password', 'token', 'secret', 'authorization', 'cookie', 'set-cookie'];

/** Writes one JSON object per line to standard output or `destination`; `child` adds fields such as a request id to each. */
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
