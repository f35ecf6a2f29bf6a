import { z } from 'zod';
import { fields, pick } from '../../base/fields';
import { isTimeZone } from '../../base/time';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { CREATOR_LIMITS } from '../../limits/creators';
import { statedAge } from '../accounts/base/schema';
import { domainFault, PAGE_FIELDS, type PagePart } from './rules';

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

/** Forms also send empty rows; rows keep their numbers, so that an error is shown beside its row. */
function rows<Row extends z.ZodObject>(row: Row, max: number) {
  const isBlank = (value: unknown) => Object.values(value ?? {}).every((part) => part === null || part === '');
  const filled = z.preprocess((value) => (isBlank(value) ? null : value), row.nullable());
  return z
    .array(filled, { error: 'field.invalid' })
    .max(max * 2, { error: 'creator.too_many_rows' })
    .transform((list) => list.filter((one): one is z.infer<Row> => one !== null))
    .refine((list) => list.length <= max, { error: 'creator.too_many_rows' });
}

const { urlLength } = CREATOR_LIMITS;
const requiredUrl = fields
  .webAddress(urlLength)
  .refine((url): url is string => url !== null, { error: 'field.url_invalid' });

export const TESTIMONIAL = z.object({
  text: fields.line(CREATOR_LIMITS.testimonialLength),
  author: fields.line(CREATOR_LIMITS.authorLength),
  url: fields.webAddress(urlLength).default(null),
});
export const PAGE_LINK = z.object({ label: fields.line(CREATOR_LIMITS.linkLabelLength), url: requiredUrl });

const username = fields
  .optionalLine(CREATOR_LIMITS.usernameLength + 1)
  .transform((name) => name.replace(/^@/, ''))
  .refine((name) => /^[\w.-]{0,30}$/.test(name), { error: 'creator.username_invalid' });

const editable = z.strictObject({
  name: fields.line(CREATOR_LIMITS.nameLength, 'creator.name_required'),
  domain,
  timeZone,
  buttonColor: color.nullable(),
  textColor: color.nullable(),
  aboutTitle: fields.text(CREATOR_LIMITS.aboutTitleLength),
  aboutText: fields.text(CREATOR_LIMITS.aboutTextLength),
  avatarKey: fields.uploadKey(),
  ctaTitle: fields.optionalLine(CREATOR_LIMITS.ctaTitleLength),
  ctaText: fields.text(CREATOR_LIMITS.ctaTextLength),
  ctaButton: fields.optionalLine(CREATOR_LIMITS.ctaButtonLength),
  ctaUrl: fields.webAddress(urlLength),
  testimonials: rows(TESTIMONIAL, CREATOR_LIMITS.testimonials),
  links: rows(PAGE_LINK, CREATOR_LIMITS.links),
  showNewsletter: fields.flag(),
  acceptsDonations: fields.flag(),
  donationText: fields.text(CREATOR_LIMITS.donationTextLength),
  username,
});

export const claimDomain = z.object({
  ...pick(editable.shape, ['name', 'domain']),
  ...statedAge,
  // the browser proposes the zone, so an unknown zone is not an error
  timeZone: timeZone.optional().catch(undefined),
});

export const updateCreator = editable.partial();

/** The part of `updateCreator` that a page of the editor sends. */
export function pagePartOf(part: PagePart) {
  const names: readonly (keyof typeof editable.shape)[] = PAGE_FIELDS[part];
  return z.strictObject(pick(updateCreator.shape, names));
}

/** The fields that are stored unchanged. */
export const CREATOR_COLUMNS = [
  'name',
  'timeZone',
  'buttonColor',
  'textColor',
  'aboutTitle',
  'aboutText',
  'ctaTitle',
  'ctaText',
  'ctaButton',
  'ctaUrl',
  'testimonials',
  'links',
  'showNewsletter',
  'acceptsDonations',
  'donationText',
  'username',
] as const satisfies (keyof typeof editable.shape)[];

export const checkDomain = z.object({
  domain: z.string().trim().toLowerCase().max(ADDRESS_LIMITS.domainLength, { error: 'creator.domain_invalid' }),
});

export type ClaimDomain = z.infer<typeof claimDomain>;
export type UpdateCreator = z.infer<typeof updateCreator>;
