import { z } from 'zod';
import { fields } from '../../fields';
import { ACCOUNT_LIMITS } from '../../limits/accounts';
import { CONTACT_LIMITS } from '../../limits/support';

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
