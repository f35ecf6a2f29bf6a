/** Kinds of errors, the same at every door. ERROR_KINDS maps them to status codes. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'limit_reached'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'expired'
  | 'too_large'
  | 'too_many'
  | 'unavailable'
  | 'no_space'
  | 'upstream';

/**
 * Each kind's tRPC code and HTTP status. Legacy clients treat a status above 500 as a lost connection (spec §8). That
 * is true of `unavailable` only, so REST answers 500 for `no_space` (docs/decisions/0079).
 */
export const ERROR_KINDS = {
  invalid: { trpc: 'BAD_REQUEST', status: 400 },
  unauthenticated: { trpc: 'UNAUTHORIZED', status: 401 },
  limit_reached: { trpc: 'FORBIDDEN', status: 403 },
  forbidden: { trpc: 'FORBIDDEN', status: 403 },
  not_found: { trpc: 'NOT_FOUND', status: 404 },
  conflict: { trpc: 'CONFLICT', status: 409 },
  expired: { trpc: 'PRECONDITION_FAILED', status: 410 },
  too_large: { trpc: 'PAYLOAD_TOO_LARGE', status: 413 },
  too_many: { trpc: 'TOO_MANY_REQUESTS', status: 429 },
  unavailable: { trpc: 'SERVICE_UNAVAILABLE', status: 503 },
  no_space: { trpc: 'INTERNAL_SERVER_ERROR', status: 507 },
  upstream: { trpc: 'INTERNAL_SERVER_ERROR', status: 500 },
} as const satisfies Record<ErrorKind, { trpc: string; status: number }>;

export type ErrorParams = Record<string, string | number>;

/** An expected error: a code (its text is in `locales/*\/errors.json`), a kind, and optionally a field. */
export class AppError extends Error {
  /** Other errors of the same form: its answer shows all of them beside their fields. */
  others: readonly AppError[] = [];

  constructor(
    readonly code: string,
    readonly kind: ErrorKind,
    readonly field?: string,
    readonly params: ErrorParams = {},
  ) {
    super(code);
    this.name = 'AppError';
  }
}

/** Every defined code, so that a test can compare them with the locales. */
export const definedErrors = new Map<string, ErrorKind>();

type Options = { field?: string };
/** `seconds`: after which a new attempt can succeed. Every door states them, so that clients do not ask at once. */
type LimitParams = ErrorParams & { seconds: number };

/** Declares a room's error. The returned function creates it, with the values for its text. */
export function defineError(code: string, kind: 'too_many', options?: Options): (params: LimitParams) => AppError;
export function defineError(code: string, kind: ErrorKind, options?: Options): (params?: ErrorParams) => AppError;
export function defineError(code: string, kind: ErrorKind, options: Options = {}) {
  definedErrors.set(code, kind);
  return (params: ErrorParams = {}) => new AppError(code, kind, options.field, params);
}

export const unauthenticated = defineError('common.unauthenticated', 'unauthenticated');
export const invalidToken = defineError('common.invalid_token', 'unauthenticated');
export const notAuthorized = defineError('common.not_authorized', 'forbidden');
export const roleNotAllowed = defineError('common.role_not_allowed', 'forbidden');
export const notFound = defineError('common.not_found', 'not_found');
const tooMany = defineError('common.too_many_requests', 'too_many');
/** From this number of seconds on, texts state minutes. */
const IN_MINUTES = 120;

export function tooManyRequests(seconds: number): AppError {
  return tooMany({ seconds, ...(seconds >= IN_MINUTES && { count: Math.ceil(seconds / 60) }) });
}

export const unavailable = defineError('common.unavailable', 'unavailable');
export const loginsBusy = defineError('common.logins_busy', 'unavailable');
export const diskFull = defineError('upload.disk_full', 'no_space');
export const tooManyFields = defineError('common.too_many_fields', 'invalid');
export const serverBusy = defineError('common.server_busy', 'too_many');

/** Whether the disk of this machine is full, or its user has reached a quota. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(String(error.code));

/** The register of VAT numbers, or that of a country, is not available now. */
export class RegisterUnavailable extends Error {
  override name = 'RegisterUnavailable';
}

/** The register of VAT numbers does not accept the asker's own number. */
export class AskerRejected extends Error {
  override name = 'AskerRejected';
}

/** FFmpeg is missing, broken or was killed: a later attempt to convert a file may succeed. */
export class ConverterUnavailable extends Error {
  override name = 'ConverterUnavailable';
}

/** Thrown when an object of the storage does not exist. */
export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`no object ${key}`);
    this.name = 'ObjectMissing';
  }
}

/** The engine that transcribes is away, or has no room: a later attempt may succeed. */
export class TranscriberUnavailable extends Error {
  override name = 'TranscriberUnavailable';
}

/**
 * `account`: the engine refuses our key, or the account has no money. `sound`: it cannot read the piece. `setup`: it is not
 * installed as it should be.
 */
export type TranscriberRefusal = 'account' | 'sound' | 'answer' | 'setup';

/** The engine refuses, and would refuse the same again. */
export class TranscriberRejected extends Error {
  override name = 'TranscriberRejected';
  constructor(
    readonly reason: TranscriberRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** The language model is away, or has no room: a later attempt may succeed. */
export class LanguageModelUnavailable extends Error {
  override name = 'LanguageModelUnavailable';
}

/** `account`: it refuses our key, or the account has no money. `question`: it refuses what was asked. */
type LanguageModelRefusal = 'account' | 'question' | 'answer';

/** The language model refuses, or its answer cannot be used. */
export class LanguageModelRejected extends Error {
  override name = 'LanguageModelRejected';
  constructor(
    readonly reason: LanguageModelRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** The kinds of calls to Spotify. */
export type SpotifyCall = 'token' | 'account' | 'register' | 'entitlements' | 'unlink' | 'submit' | 'status' | 'remove';

/** Spotify answered that it does not do this. */
export class SpotifyRejected extends Error {
  override name = 'SpotifyRejected';
  constructor(
    readonly call: SpotifyCall,
    readonly status: number,
    /** As Spotify sent it, at most some kilobytes. */
    readonly body: string,
  ) {
    super(`Spotify rejected ${call} with ${status}`);
  }
}

/** No answer, a fault of Spotify's, or too many calls: the same call can succeed later. */
export class SpotifyAway extends Error {
  override name = 'SpotifyAway';
  /** `retryAfterSeconds`: as Spotify asked; null if it did not. */
  constructor(
    readonly call: SpotifyCall,
    readonly retryAfterSeconds: number | null,
    cause?: unknown,
  ) {
    super(`Spotify does not answer ${call}`, { cause });
  }
}

/** `scope`: those that a key or an app lacks, with spaces between them. */
export const scopeMissing = defineError('api.scope_missing', 'forbidden');
