import { z } from 'zod';
import { fields } from '../../fields';
import { ACCOUNT_LIMITS } from '../../limits/accounts';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { CONTACT_LIMITS, REPORT_LIMITS } from '../../limits/support';
import { REPORT_REASONS } from './kinds';

/** Becomes part of an email's header, so a line break is an attack: forms can't send one. */
const headerLine = (max: number) =>
  z
    .string({ error: 'field.required' })
    .refine((text) => !/[\r\n]/.test(text), { error: 'field.one_line' })
    .pipe(fields.line(max));

export const sendMessage = z.object({
  name: headerLine(ACCOUNT_LIMITS.nameLength),
  email: fields.email(),
  subject: headerLine(CONTACT_LIMITS.subjectLength),
  text: fields.text(CONTACT_LIMITS.textLength).refine((text) => text !== '', { error: 'field.required' }),
});

export type SendMessage = z.infer<typeof sendMessage>;

const slug = z.string().max(ADDRESS_LIMITS.urlLength);
/** A public page: a player by its id, or a creator's page, a show or an episode by its address. */
export const reportedPage = z.union(
  [
    z.strictObject({ type: z.enum(['episode', 'product']), id: fields.id() }),
    z.strictObject({
      domain: z.string().max(ADDRESS_LIMITS.domainLength),
      slug: slug.optional(),
      episodeSlug: slug.optional(),
    }),
  ],
  { error: 'report.page_unknown' },
);

export const viewReported = z.object({ page: reportedPage });

const emptyToNull = (text: string) => text || null;
export const report = z.object({
  page: reportedPage,
  reason: fields.oneOf(REPORT_REASONS, 'field.required'),
  text: fields
    .text(REPORT_LIMITS.textLength, 'field.required')
    .refine((text) => text !== '', { error: 'field.required' }),
  name: fields.optionalLine(ACCOUNT_LIMITS.nameLength).default('').transform(emptyToNull),
  /** Without one, nobody can be told what was decided. */
  email: z.preprocess((value) => (value === '' || value === undefined ? null : value), fields.email().nullable()),
  isInGoodFaith: fields
    .flag()
    .default(false)
    .refine((is) => is, { error: 'report.good_faith' }),
});

export type ReportedPage = z.infer<typeof reportedPage>;
export type Report = z.infer<typeof report>;
