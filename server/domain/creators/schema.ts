import { z } from 'zod';
import { fields } from '../../fields';
import { LIMITS } from '../../limits';
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
  name: fields.line(LIMITS.creator.nameLength, 'creator.name_required'),
  domain,
  timeZone: timeZone.optional().catch(undefined),
});

export const checkDomain = z.object({
  domain: z.string().trim().toLowerCase().max(100, { error: 'creator.domain_invalid' }),
});

export const updateCreator = z.strictObject({
  name: fields.line(LIMITS.creator.nameLength, 'creator.name_required').optional(),
  domain: domain.optional(),
  timeZone: timeZone.optional(),
  buttonColor: color.nullish(),
  textColor: color.nullish(),
  aboutTitle: fields.text(LIMITS.creator.ctaTextLength).optional(),
  aboutText: fields.text(LIMITS.creator.aboutTextLength).optional(),
  avatarKey: fields.uploadKey().optional(),
});

export type ClaimDomain = z.infer<typeof claimDomain>;
export type UpdateCreator = z.infer<typeof updateCreator>;
