import { z } from 'zod';
import { ACCOUNT_LIMITS } from '../limits/accounts';
import { PAGE_LIMITS } from '../limits/paging';
import { isSlug } from './addresses';
import { fromDecimal } from './money';
import { normalized } from './normalized';

/**
 * Building blocks of schemas. Each accepts text (FormData, query strings) and typed values (tRPC, JSON).
 * Messages are keys of `locales/*\/errors.json`; the door translates them.
 */

/** Uses one message for missing, mistyped and malformed values; a missing one is not called invalid. */
const says = (message: string) => ({
  error: ({ input }: { input?: unknown }) =>
    message === 'field.invalid' && input === undefined ? 'field.required' : message,
});

const KEPT_CONTROLS = ['\t', '\n', '\r'];

/** Postgres rejects NUL and lone surrogates; other control characters break XML. */
function cleanText(text: string): string {
  const kept = text.replace(/\p{Cc}/gu, (c) => (KEPT_CONTROLS.includes(c) ? c : ''));
  return normalized(kept.toWellFormed());
}

const blankToUndefined = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value);

/** Of what is there. An object may have a `toString` that is no function, which `Number` would call. */
export function toNumber(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value);
}

const blankToNull = (value: unknown) => blankToUndefined(value) ?? null;

/** An absolute http or https address without credentials, which could disguise the host; null for anything else. */
function parseWebAddress(text: string): URL | null {
  if (!/^https?:\/\/[^\s\p{Cc}<>"\\]+$/iu.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.hostname.includes('.') ? url : null;
}

/** One line of text; may be empty. */
const optionalLine = (max: number) =>
  z
    .string(says('field.invalid'))
    .transform((s) => cleanText(s).replace(/\s+/g, ' ').trim())
    .pipe(z.string().max(max, says('field.too_long')));

export const fields = {
  /** One line of text, not empty. */
  line: (max: number, required = 'field.required') =>
    z
      .string(says(required))
      .transform((s) => cleanText(s).replace(/\s+/g, ' ').trim())
      .pipe(z.string().min(1, says(required)).max(max, says('field.too_long'))),

  /** The different lines of a text area, or a list, without empty ones. */
  lines: (most: { items: number; length: number }, messages: { tooMany: string; tooLong: string }) =>
    z
      .preprocess(
        (value) => (typeof value === 'string' ? value.split('\n') : value),
        z.array(optionalLine(Number.POSITIVE_INFINITY), says('field.invalid')),
      )
      .transform((lines) => [...new Set(lines)].filter((line) => line !== ''))
      .refine((lines) => lines.length <= most.items, says(messages.tooMany))
      .refine((lines) => lines.every(({ length }) => length <= most.length), says(messages.tooLong)),

  /** Text of several lines; may be empty. */
  text: (max: number, missing = 'field.invalid') =>
    z
      .string(says(missing))
      .transform((s) => cleanText(s).trim())
      .pipe(z.string().max(max, says('field.too_long'))),

  optionalLine,

  /** A link to another site, or null: only http and https, because other schemes run scripts. */
  webAddress: (max: number, accepts: (url: URL) => boolean = () => true, message = 'field.url_invalid') =>
    z.preprocess(
      blankToNull,
      z
        .string(says(message))
        .trim()
        .max(max, says('field.too_long'))
        .transform((text, ctx) => {
          const url = parseWebAddress(text);
          if (url && accepts(url)) return url.href;
          ctx.addIssue({ code: 'custom', message });
          return z.NEVER;
        })
        .nullable(),
    ),

  /** Any valid address, in lower case (spec §5 messages). */
  email: () =>
    z
      .string(says('field.email_required'))
      .trim()
      .toLowerCase()
      .min(1, says('field.email_required'))
      .max(ACCOUNT_LIMITS.emailLength, says('field.email_invalid'))
      .pipe(z.email(says('field.email_invalid'))),

  /** A row id from a path, a form or JSON. */
  id: () =>
    z
      .union([z.number(), z.string()], {
        error: (issue) => (issue.input === undefined ? 'field.required' : 'field.invalid'),
      })
      .transform(Number)
      .pipe(
        z
          .number(says('field.invalid'))
          .int(says('field.invalid'))
          .positive(says('field.invalid'))
          .max(Number.MAX_SAFE_INTEGER, says('field.invalid')),
      ),

  whole: (min: number, max: number, message = 'field.invalid') =>
    z.preprocess(
      (value) => toNumber(blankToUndefined(value)),
      z.number(says(message)).int(says(message)).min(min, says(message)).max(max, says(message)),
    ),

  /** A check box sends 'on' or nothing; JSON sends a boolean. */
  flag: () =>
    z
      .union([z.boolean(), z.string(), z.number()], says('field.invalid'))
      .transform((v) => v === true || v === 1 || ['on', 'true', '1', 'yes'].includes(String(v).toLowerCase())),

  /** A Date, or ISO 8601 with offset. */
  instant: (message = 'field.date_invalid') =>
    z.preprocess(
      blankToUndefined,
      z.union([z.date(), z.iso.datetime({ offset: true }).transform((s) => new Date(s))], says(message)),
    ),

  /** A date as `2026-11-30`. Arithmetic on days needs years of four digits on both sides. */
  day: () =>
    z.preprocess(
      blankToUndefined,
      z.iso
        .date(says('field.date_invalid'))
        .refine((day) => /^(?:1\d|2[01])\d\d-/.test(day), says('field.date_invalid')),
    ),

  /** A month as `2026-11`. */
  month: () => z.string(says('field.invalid')).regex(/^20\d{2}-(?:0[1-9]|1[0-2])$/, says('field.invalid')),

  /** A decimal amount in the major unit → minor units. */
  amount: () =>
    z.union([z.string(), z.number()], says('field.amount_invalid')).transform((value, ctx) => {
      const minor = fromDecimal(String(value));
      if (minor === null) ctx.addIssue({ code: 'custom', message: 'field.amount_invalid' });
      return minor ?? z.NEVER;
    }),

  oneOf: <const T extends readonly [string, ...string[]]>(values: T, message = 'field.invalid') =>
    z.enum(values, says(message)),

  /** `letters-digits-and-hyphens` (spec §5: 'Invalid slug name'); if empty, it is derived from the name. */
  slug: (max: number) =>
    z.preprocess(
      blankToUndefined,
      z
        .string(says('field.slug_invalid'))
        .trim()
        .toLowerCase()
        .max(max, says('field.slug_invalid'))
        .refine(isSlug, says('field.slug_invalid')),
    ),

  /** An upload's key from `media.requestUpload`. */
  uploadKey: (message = 'field.upload_required') =>
    z.string(says(message)).regex(/^[A-Za-z0-9_-]{16,64}$/, says(message)),
};

/** Input of every list: page (from 1), size, search text. */
export const listFields = {
  page: z.preprocess(blankToUndefined, z.coerce.number(says('field.invalid')).int().min(1).max(100_000).default(1)),
  pageSize: z.preprocess(
    blankToUndefined,
    z.coerce.number(says('field.invalid')).int().min(1).max(PAGE_LIMITS.maxSize).default(PAGE_LIMITS.size),
  ),
  search: z
    .string()
    .transform((text) => cleanText(text).trim())
    .pipe(z.string().max(PAGE_LIMITS.searchLength, says('field.too_long')))
    .optional(),
};

/** The size of a page, for lists whose pages have a length of their own otherwise. */
export const chosenSize = z.coerce.number(says('field.invalid')).int().min(1).max(PAGE_LIMITS.maxSize).optional();

/** The named properties of an object, in a new one. */
export function pick<From extends object, const Names extends readonly (keyof From)[]>(
  from: From,
  names: Names,
): Pick<From, Names[number]> {
  const picked: Partial<From> = {};
  for (const name of names) if (name in from) picked[name] = from[name];
  return picked as Pick<From, Names[number]>;
}
