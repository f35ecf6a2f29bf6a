import { z } from 'zod';
import { REPORT_REASONS } from '~/db/values/support';
import { fields } from '../../base/fields';
import { ACCOUNT_LIMITS } from '../../limits/accounts';
import { CONTACT_LIMITS, REPORT_LIMITS } from '../../limits/support';
import { reportedPageInput } from '../pages/schema';

/** The text becomes part of an email's header, where a line break would be an attack; forms can't send one. */
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

export const viewReported = z.object({ page: reportedPageInput });

const emptyToNull = (text: string) => text || null;
export const report = z.object({
  page: reportedPageInput,
  reason: fields.oneOf(REPORT_REASONS, 'field.required'),
  text: fields
    .text(REPORT_LIMITS.textLength, 'field.required')
    .refine((text) => text !== '', { error: 'field.required' }),
  name: fields.optionalLine(ACCOUNT_LIMITS.nameLength).default('').transform(emptyToNull),
  /** Without an address, the reporter can't be told the decision. */
  email: z.preprocess((value) => (value === '' || value === undefined ? null : value), fields.email().nullable()),
  isInGoodFaith: fields
    .flag()
    .default(false)
    .refine((is) => is, { error: 'report.good_faith' }),
});

export type Report = z.infer<typeof report>;
