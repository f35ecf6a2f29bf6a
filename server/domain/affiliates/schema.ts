import { z } from 'zod';
import { fields } from '../../base/fields';
import { AFFILIATE_LIMITS } from '../../limits/affiliates';
import { linkCode } from './rules';

export const joinProgramme = z.object({
  terms: fields.flag().refine((accepted) => accepted, { error: 'affiliate.terms_required' }),
});

export const createLink = z.object({
  name: fields.line(AFFILIATE_LIMITS.nameLength),
  /** Not named `code`, because a failed form would not show its value again. */
  linkCode: z.string({ error: 'affiliate.code_invalid' }).transform((text, ctx) => {
    const code = linkCode(text);
    if (code === null) ctx.addIssue({ code: 'custom', message: 'affiliate.code_invalid' });
    return code ?? z.NEVER;
  }),
});

export type CreateLink = z.infer<typeof createLink>;
