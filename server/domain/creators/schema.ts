import { z } from 'zod';
import { fields, pick } from '../../fields';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { CREATOR_LIMITS } from '../../limits/creators';
import { isTimeZone } from '../../time';
import { statedAge } from '../accounts/schema';
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

const editable = z.strictObject({
  name: fields.line(CREATOR_LIMITS.nameLength, 'creator.name_required'),
  domain,
  timeZone,
  buttonColor: color.nullable(),
  textColor: color.nullable(),
  aboutTitle: fields.text(CREATOR_LIMITS.aboutTitleLength),
  aboutText: fields.text(CREATOR_LIMITS.aboutTextLength),
  avatarKey: fields.uploadKey(),
});

export const claimDomain = z.object({
  ...pick(editable.shape, ['name', 'domain']),
  ...statedAge,
  // the browser proposes the zone: an unknown one is no reason to fail
  timeZone: timeZone.optional().catch(undefined),
});

export const updateCreator = editable.partial();

/** The fields that are stored as they were sent. */
export const CREATOR_COLUMNS = [
  'name',
  'timeZone',
  'buttonColor',
  'textColor',
  'aboutTitle',
  'aboutText',
] as const satisfies (keyof typeof editable.shape)[];

export const checkDomain = z.object({
  domain: z.string().trim().toLowerCase().max(ADDRESS_LIMITS.domainLength, { error: 'creator.domain_invalid' }),
});

export type ClaimDomain = z.infer<typeof claimDomain>;
export type UpdateCreator = z.infer<typeof updateCreator>;
