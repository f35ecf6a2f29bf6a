import { ZodError } from 'zod';
import { AppError, type ErrorKind, type ErrorParams } from './errors';

/** A sentence to be said: a key below `errors:` and the values that it names. */
export type Message = { key: string; params: ErrorParams };

/** Any failure as the doors render it: tRPC, REST and HTML each from this one shape. */
export type Problem = {
  kind: ErrorKind;
  code: string;
  params: ErrorParams;
  /** Sentences by the field they are about (camelCase, as in the schema); empty when it is about the whole. */
  fields: Record<string, Message[]>;
  /** Neither expected nor the caller's fault: to be logged. */
  unexpected: boolean;
};

const UNKNOWN_FIELDS = 'unrecognized_keys';

function fromZod(error: ZodError): Problem {
  const fields: Record<string, Message[]> = {};
  const add = (field: string, sentence: Message) => {
    fields[field] = [...(fields[field] ?? []), sentence];
  };
  for (const issue of error.issues) {
    if (issue.code === UNKNOWN_FIELDS) {
      for (const key of issue.keys) add(key, { key: 'field.unknown', params: {} });
      continue;
    }
    const params: ErrorParams = {};
    if ('maximum' in issue) params.max = Number(issue.maximum);
    if ('minimum' in issue) params.min = Number(issue.minimum);
    // our own messages are keys; a message of zod's own is for developers
    const key = /^[a-z_]+\.[a-z_.]+$/.test(issue.message) ? issue.message : 'field.invalid';
    add(issue.path.map(String).join('.') || 'form', { key, params });
  }
  return { kind: 'invalid', code: 'common.invalid', params: {}, fields, unexpected: false };
}

/** What failed, from whatever was thrown: our own errors, zod's, or either inside tRPC's. */
export function describeProblem(thrown: unknown): Problem {
  for (let e = thrown; e instanceof Error; e = e.cause) {
    if (e instanceof ZodError) return fromZod(e);
    if (e instanceof AppError) {
      const fields = e.field ? { [e.field]: [{ key: e.code, params: e.params }] } : {};
      return { kind: e.kind, code: e.code, params: e.params, fields, unexpected: false };
    }
  }
  return { kind: 'upstream', code: 'common.something_went_wrong', params: {}, fields: {}, unexpected: true };
}
