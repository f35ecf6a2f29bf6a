/** What an error is, whichever door it leaves by. The one table from kind to status stands below. */
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
  | 'upstream';

/** tRPC's code and REST's status of each kind. REST never answers above 500 (spec §8). */
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
  upstream: { trpc: 'INTERNAL_SERVER_ERROR', status: 500 },
} as const satisfies Record<ErrorKind, { trpc: string; status: number }>;

export type ErrorParams = Record<string, string | number>;

/** A failure that the product expects: a code (its sentence is in `locales/*\/errors.json`), a kind, maybe a field. */
export class AppError extends Error {
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

/** Every code that was defined, so that a test can hold them against the locales. */
export const definedErrors = new Map<string, ErrorKind>();

/** Declares an error of a room; the result makes one to throw, with the values that its sentence names. */
export function defineError(code: string, kind: ErrorKind, options: { field?: string } = {}) {
  definedErrors.set(code, kind);
  return (params: ErrorParams = {}) => new AppError(code, kind, options.field, params);
}

export const unauthenticated = defineError('common.unauthenticated', 'unauthenticated');
export const invalidToken = defineError('common.invalid_token', 'unauthenticated');
export const notAuthorized = defineError('common.not_authorized', 'forbidden');
export const notFound = defineError('common.not_found', 'not_found');
export const tooManyRequests = defineError('common.too_many_requests', 'too_many');
export const serverBusy = defineError('common.server_busy', 'too_many');
