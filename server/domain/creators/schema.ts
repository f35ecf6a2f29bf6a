import { z } from 'zod';
import { fields } from '../../fields';
import { CREATOR_LIMITS } from '../../limits/creators';
import { isTimeZone } from '../../time';
import { domainFault } from './rules';

const domain = z
  .string({ error: 'creator.domain_required' })
  .trim()
  .toLowerCase()
  .min(1, { error: 'creator.domain_required' })
  .superRefine((value, ctx) => {
    const fault = value ? domainFault(value) : null;
    if (fault) ctx.addIssue({ code: 'custom', message: fault });
  });

const timeZone = z.string().refine(isTimeZone, { error: 'field.invalid' });
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: 'field.invalid' });

export const claimDomain = z.object({
  name: fields.line(CREATOR_LIMITS.nameLength, 'creator.name_required'),
  domain,
  timeZone: timeZone.optional().catch(undefined),
});

export const checkDomain = z.object({
  domain: z.string().trim().toLowerCase().max(100, { error: 'creator.domain_invalid' }),
});

export const updateCreator = z.strictObject({
  name: fields.line(CREATOR_LIMITS.nameLength, 'creator.name_required').optional(),
  domain: domain.optional(),
  timeZone: timeZone.optional(),
  buttonColor: color.nullish(),
  textColor: color.nullish(),
  aboutTitle: fields.text(CREATOR_LIMITS.ctaTextLength).optional(),
  aboutText: fields.text(CREATOR_LIMITS.aboutTextLength).optional(),
  avatarKey: fields.uploadKey().optional(),
});

export type ClaimDomain = z.infer<typeof claimDomain>;
export type UpdateCreator = z.infer<typeof updateCreator>;
