import { AppError, defineError } from '../../base/errors';

export const keyInAddress = defineError('api.key_in_address', 'invalid');
export const methodNotAllowed = defineError('api.method_not_allowed', 'invalid');
export const unknownVersion = defineError('api.unknown_version', 'invalid');
export const cursorInvalid = defineError('api.cursor_invalid', 'invalid');
export const limitInvalid = defineError('api.limit_invalid', 'invalid');
export const fieldsInvalid = defineError('api.fields_invalid', 'invalid');
export const bodyNotJson = defineError('api.body_not_json', 'invalid');
export const mediaTypeUnsupported = defineError('api.media_type_unsupported', 'invalid');
export const bodyTooLarge = defineError('api.body_too_large', 'too_large');
export const idempotencyKeyInvalid = defineError('api.idempotency_key_invalid', 'invalid');

/** Failures whose statuses no kind of error has: each is a kind of problem of its own. */
export const OWN_PROBLEMS: Record<string, { status: number; name: string }> = {
  'api.method_not_allowed': { status: 405, name: 'method-not-allowed' },
  'api.media_type_unsupported': { status: 415, name: 'unsupported-media-type' },
  'api.idempotency_mismatch': { status: 422, name: 'idempotency-mismatch' },
};

/** Failures whose texts speak of the pages of the studio. A program has a text of its own. */
const OWN_TEXTS = [
  ...['common.not_found', 'common.invalid', 'common.not_authorized', 'common.role_not_allowed'],
  ...['episode.already_changed', 'newsletter.edition_changed'],
];

/** The key of a code's text below `errors:`. */
export const textKeyOf = (code: string): string => (OWN_TEXTS.includes(code) ? `api.detail.${code}` : code);

/** A hostile body has thousands of unknown fields. */
const MAX_UNKNOWN = 10;

/** One error for each field that a call does not have. */
export function unknownFields(names: readonly string[]): AppError {
  const [first, ...others] = names
    .slice(0, MAX_UNKNOWN)
    .map((name) => new AppError('field.unknown', 'invalid', name.slice(0, 100)));
  (first as AppError).others = others;
  return first as AppError;
}
