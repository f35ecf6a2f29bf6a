import { ZodError } from 'zod';
import { UNAVAILABLE_LIMITS } from '../limits/http';
import { isDatabaseAway } from './database-errors';
import { AppError, diskFull, type ErrorKind, type ErrorParams, isDiskFull, unavailable } from './errors';
import { wholeSeconds } from './time';

/** A message to translate: a key below `errors:`, and its values. */
export type Message = { key: string; params: ErrorParams };

/** A failure in the form that tRPC, REST and pages all render. */
export type Problem = {
  kind: ErrorKind;
  code: string;
  params: ErrorParams;
  /** Messages by field (camelCase, as in the schema); empty if the failure is not about a field. */
  fields: Record<string, Message[]>;
  /** A bug or an outage, which must be logged. */
  unexpected: boolean;
};

/** superjson refuses to write objects with such keys. */
const UNSERIALIZABLE = new Set(['__proto__', 'constructor', 'prototype']);

const UNKNOWN_FIELDS = 'unrecognized_keys';

/** A hostile object has thousands of unknown keys. */
const MAX_UNKNOWN_FIELDS = 10;

function fromZod(error: ZodError): Problem {
  // a map, because a client may name a field `constructor` or `__proto__`
  const fields = new Map<string, Message[]>();
  const add = (name: string, message: Message) => {
    const field = UNSERIALIZABLE.has(name) ? 'form' : name;
    const messages = fields.get(field);
    if (messages) messages.push(message);
    else fields.set(field, [message]);
  };
  for (const issue of error.issues) {
    if (issue.code === UNKNOWN_FIELDS) {
      for (const key of issue.keys.slice(0, MAX_UNKNOWN_FIELDS)) add(key, { key: 'field.unknown', params: {} });
      continue;
    }
    const params: ErrorParams = {};
    if ('maximum' in issue) params.max = Number(issue.maximum);
    if ('minimum' in issue) params.min = Number(issue.minimum);
    // our messages are locale keys; zod's own texts are for developers
    const key = /^[a-z_]+\.[A-Za-z_.]+$/.test(issue.message) ? issue.message : 'field.invalid';
    add(issue.path.map(String).join('.') || 'form', { key, params });
  }
  return { ...INVALID, fields: Object.fromEntries(fields) };
}

const INVALID: Problem = { kind: 'invalid', code: 'common.invalid', params: {}, fields: {}, unexpected: false };

/**
 * Postgres rejects values that no schema excludes everywhere, such as a NUL in a search text or a date in the year
 * 275760: number or date out of range, malformed date, character that UTF-8 or the database lacks.
 */
const UNSTORABLE = new Set(['22003', '22007', '22008', '22009', '22021', '22P05']);

/** For the Retry-After header of `unavailable`. */
export const RETRY_AFTER_SECONDS = wholeSeconds(UNAVAILABLE_LIMITS.retryAfter);

function fromAppError({ kind, code, params, field, others }: AppError): Problem {
  const fields = field ? { [field]: [{ key: code, params }] } : {};
  for (const { field: name, ...other } of others)
    if (name && !fields[name]) fields[name] = [{ key: other.code, params: other.params }];
  return { kind, code, params, fields, unexpected: false };
}

/** Describes anything thrown: our errors, zod's, or either wrapped in tRPC's. */
export function describeProblem(thrown: unknown): Problem {
  for (let e = thrown; e instanceof Error; e = e.cause) {
    if (e instanceof ZodError) return fromZod(e);
    if (e instanceof AppError) return fromAppError(e);
    if (isDatabaseAway(e)) return fromAppError(unavailable({ seconds: RETRY_AFTER_SECONDS }));
    if (isDiskFull(e)) return fromAppError(diskFull());
    if (e.name === 'PostgresError' && 'code' in e && UNSTORABLE.has(String(e.code))) return INVALID;
  }
  return { kind: 'upstream', code: 'common.something_went_wrong', params: {}, fields: {}, unexpected: true };
}
