import { type SerializedError, stdSerializers } from 'pino';

/** Fields of database errors that repeat parameters or rows: `Key (email)=(…) already exists`. */
const HIDDEN_FIELDS = new Set(['params', 'parameters', 'args', 'detail', 'where', 'internalQuery', 'internal_query']);
/**
 * SQLSTATE class 22, data exceptions: their messages quote the value, as in `invalid input syntax for type date: "…"`.
 */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const MAX_CAUSES = 10;

/**
 * The log's form of an error: pino's, without the parameters of SQL statements. They hold password hashes, email
 * addresses and links that log in, and the libraries repeat them in messages, stacks and causes.
 */
export function toLoggableError<Thrown>(error: Thrown): Thrown extends Error ? SerializedError : Thrown;
export function toLoggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { raw: _, ...fields } = stdSerializers.err(withoutParameters(error, replacementsFor(error)));
  return fields;
}

type Replacement = [unsafe: string, safe: string];

/** A wrapper may repeat the message of its cause, so every message is replaced in every text. */
function replacementsFor(error: Error): Replacement[] {
  return chainOf(error)
    .map((link): Replacement => [link.message, safeMessage(link)])
    .filter(([unsafe, safe]) => unsafe !== safe)
    .sort(([a], [b]) => b.length - a.length);
}

function chainOf(error: Error): Error[] {
  const chain: Error[] = [];
  for (let e: unknown = error; e instanceof Error && chain.length < MAX_CAUSES; e = e.cause) chain.push(e);
  return chain;
}

function safeMessage(error: Error): string {
  const { message } = error;
  // Drizzle's message is the statement, a line `params: …`, and nothing after it
  if (message.startsWith('Failed query: ')) return withoutLiterals(message.replace(/\nparams: [\s\S]*$/, ''));
  if ('code' in error && DATA_EXCEPTION.test(String(error.code))) return message.replace(/"[\s\S]*"/, '"…"');
  return message;
}

const withoutLiterals = (sql: string) => sql.replace(/'(?:[^']|'')*'/g, "'…'");

/** A copy, because the error itself may still be handled. Its causes are copied too. */
function withoutParameters(error: Error, replacements: Replacement[], depth = 0): Error {
  const clean = (text: string) =>
    replacements.reduce((all, [unsafe, safe]) => all.replaceAll(unsafe, () => safe), text);
  const copy = Object.create(Object.getPrototypeOf(error)) as Error & Record<string, unknown>;
  for (const [name, value] of Object.entries(error)) {
    if (HIDDEN_FIELDS.has(name)) continue;
    copy[name] = name === 'query' && typeof value === 'string' ? withoutLiterals(value) : value;
  }
  const cause = error.cause instanceof Error && depth < MAX_CAUSES ? error.cause : null;
  const hidden = {
    message: clean(error.message),
    stack: clean(error.stack ?? ''),
    cause: cause && withoutParameters(cause, replacements, depth + 1),
  };
  for (const [name, value] of Object.entries(hidden))
    Object.defineProperty(copy, name, { value, enumerable: false, writable: true, configurable: true });
  return copy;
}
