import { inspect } from 'node:util';
import type { DestinationStream } from 'pino';
import pretty from 'pino-pretty';

const BASE_FIELDS = new Set(['level', 'time', 'msg', 'err']);
/** IDs connect related lines when a problem is analyzed; otherwise they hide the rest of the line. */
const IDS = new Set(['requestId', 'jobId']);

type Line = Record<string, unknown>;

/** A destination for `createLog` that writes `message key=value …` to standard output, for local use. */
export function readableLines(): DestinationStream {
  return pretty({
    colorize: process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    // the line may replace a longer line of progress
    messageFormat: (line) => (process.stdout.isTTY ? formatLine(line).replace(/$/m, '\x1b[K') : formatLine(line)),
    sync: true,
  });
}

export function formatLine(line: Line): string {
  const isRoutine = line.level === 'info' || line.level === 'debug';
  const fields = Object.entries(line)
    .filter(([name]) => !BASE_FIELDS.has(name) && !(isRoutine && IDS.has(name)))
    .map(([name, value]) => ` ${name}=${formatValue(value)}`);
  return `${line.msg}${fields.join('')}${stackOf(line.err)}`;
}

const formatValue = (value: unknown) =>
  typeof value === 'string' ? withoutControls(value) : inspect(value, { breakLength: Infinity });

/** A path can have decoded control characters, which a terminal would obey. */
const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, (found) => encodeURIComponent(found));

/** pino has already serialized the error. */
function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  return 'stack' in error ? `\n${error.stack}` : `\n${inspect(error)}`;
}
