import { z } from 'zod';
import { AUTOMATION_TRIGGERS } from '~/db/values/automations';
import { EDITION_GROUPS } from '~/db/values/editions';
import { chosenSize, fields } from '../../base/fields';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { EDITION_LIMITS } from '../../limits/editions';
import {
  AUTOMATION_LIMITS,
  DOMAIN_LIMITS,
  EDITING_LIMITS,
  PUBLICATION_LIMITS,
  RECOMMENDATION_LIMITS,
} from '../../limits/newsletter';
import { category, language } from '../products/schema';
import { AUTOMATION_STARTS, STARTS } from './rules';

/** Spec §5. The texts of the welcome email are required while it is switched on. */
export const saveNewsletter = z
  .strictObject({
    name: fields.line(PUBLICATION_LIMITS.nameLength, 'newsletter.name_required'),
    description: fields.text(PUBLICATION_LIMITS.descriptionLength).default(''),
    category,
    language,
    /** The key of an upload; without one, the logo stays. */
    logoKey: fields.uploadKey().optional(),
    senderName: fields.line(PUBLICATION_LIMITS.senderLength, 'newsletter.sender_name_required'),
    senderEmail: fields.email(),
    header: fields.text(PUBLICATION_LIMITS.headerLength).default(''),
    footer: required(fields.text(PUBLICATION_LIMITS.footerLength), 'newsletter.footer_required'),
    sendsWelcome: fields.flag().default(false),
    /** Without it, the setting stays. */
    tracksReaders: fields.flag().optional(),
    welcomeSubject: fields.optionalLine(PUBLICATION_LIMITS.subjectLength).default(''),
    welcomeContent: fields.text(PUBLICATION_LIMITS.welcomeLength).default(''),
    /** Without it, it stays as it is. */
    mayBeRecommended: fields.flag().optional(),
  })
  .superRefine(({ sendsWelcome, welcomeSubject, welcomeContent }, ctx) => {
    if (!sendsWelcome) return;
    const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (welcomeSubject === '') refuse('welcomeSubject', 'newsletter.welcome_subject_required');
    if (welcomeContent === '') refuse('welcomeContent', 'newsletter.welcome_content_required');
  });

/** The creator whose newsletter is recommended, or no longer. */
export const changeRecommendation = z.strictObject({ creatorId: fields.id() });
/** The address of a page, or the beginning of a name. */
export const findRecommendable = z.strictObject({
  search: fields.line(RECOMMENDATION_LIMITS.searchLength, 'newsletter.search_required'),
});
/** The token of the page after a confirmation. */
export const confirmedLink = z.strictObject({ confirmed: z.string().max(1000) });
/** A form sends one text for each ticked newsletter. */
export const joinRecommended = confirmedLink.extend({
  ids: z.array(fields.id()).max(RECOMMENDATION_LIMITS.newsletters, { error: 'field.too_long' }),
});

function required<Schema extends z.ZodType<string>>(schema: Schema, message: string) {
  return schema.refine((text) => text !== '', { error: message });
}

/** A list that a form writes as one text. The first fault of an item is the field's, which has no other. */
function listed<Item extends z.ZodType<string>>(item: Item, { split, max, tooMany }: ListRules) {
  return z.union([z.string().max(5000, { error: 'field.too_long' }), z.array(z.string())]).transform((value, ctx) => {
    const texts = typeof value === 'string' ? split(value) : value;
    if (texts.length > max)
      ctx.addIssue({ code: 'too_big', origin: 'array', maximum: max, message: tooMany, input: value });
    return texts.slice(0, max).map((text) => {
      const parsed = item.safeParse(text);
      if (parsed.success) return parsed.data;
      const { message, ...issue } = parsed.error.issues[0]!;
      // its text names the limit
      ctx.addIssue({ code: 'custom', message, ...('maximum' in issue && { maximum: issue.maximum }) });
      return '';
    });
  });
}
type ListRules = { split: (text: string) => string[]; max: number; tooMany: string };

/** Separated by commas; an empty one between two commas is an error (spec §5). */
const tags = listed(fields.line(EDITING_LIMITS.tagLength, 'newsletter.tag_empty'), {
  split: (text) => (text.trim() === '' ? [] : text.split(',')),
  max: EDITING_LIMITS.tags,
  tooMany: 'newsletter.too_many_tags',
});

/** `group:of` in a form, for example `tag:VIP`. */
export const editionAudience = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value;
    const colon = value.indexOf(':');
    return colon < 0 ? { group: value } : { group: value.slice(0, colon), of: value.slice(colon + 1) };
  },
  z
    .strictObject({ group: fields.oneOf(EDITION_GROUPS), of: fields.line(100).optional() })
    .refine(({ group, of }) => (group === 'everyone') === (of === undefined), { error: 'field.invalid' }),
);

export const senderLink = z.object({ token: z.string().max(1000, { error: 'newsletter.sender_link_expired' }) });
export type SenderLink = z.infer<typeof senderLink>;

export const findEdition = z.strictObject({ id: fields.id() });
export const listEditions = z.strictObject({
  page: fields.whole(1, 1000).default(1),
  pageSize: chosenSize,
});

/** An empty field of a form. */
const blankToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);

/** The fields that were sent. `revision`: what the form was filled with; an edition that has changed since is not overwritten. */
export const updateEdition = z.strictObject({
  id: fields.id(),
  revision: fields.whole(1, 1_000_000_000),
  title: fields.optionalLine(EDITION_LIMITS.titleLength).optional(),
  preheader: fields.optionalLine(EDITING_LIMITS.preheaderLength).optional(),
  description: fields.text(EDITING_LIMITS.descriptionLength).optional(),
  content: z
    .string({ error: 'field.invalid' })
    .max(EDITION_LIMITS.contentLength, { error: 'field.too_long' })
    .optional(),
  tags: tags.optional(),
  seoTitle: fields.optionalLine(EDITING_LIMITS.seoTitleLength).optional(),
  seoDescription: fields.optionalLine(EDITING_LIMITS.seoDescriptionLength).optional(),
  audience: editionAudience.optional(),
  /** The address in the archive; null: it follows from the title when the edition is sent. */
  slug: z.preprocess(blankToNull, fields.slug(EDITING_LIMITS.slugLength).nullable()).optional(),
  keepsOther: fields.flag().optional(),
  isInArchive: fields.flag().optional(),
});

/** The text of a window that shows what another one has saved. */
export const keepText = updateEdition
  .pick({ id: true, revision: true, title: true, preheader: true, content: true })
  .required();

export const findReach = z.strictObject({ audience: editionAudience });
export const createEdition = z.strictObject({ episodeId: fields.id().optional() });
export const restoreVersion = z.strictObject({ id: fields.id(), version: fields.whole(1, 1_000_000_000) });
/** Without a time, now. `isLateAllowed`: also if the time has passed long ago. */
export const sendEdition = z.strictObject({
  id: fields.id(),
  revision: fields.whole(1, 1_000_000_000),
  sendAt: fields.instant().optional(),
});

export const findLink = z.strictObject({ id: fields.id(), position: fields.whole(0, 10_000) });
const domain = z.string().max(ADDRESS_LIMITS.domainLength);
/** The last edition of a page: when it was sent, in milliseconds, and its id, or without it in an older address. */
const archivePlace = z
  .string()
  .regex(/^\d{1,14}(?:-\d{1,15})?$/)
  .transform((text) => {
    const [at, id] = text.split('-');
    return { at: Number(at), id: Number(id ?? 0) };
  });
export const findArchive = z.strictObject({ domain, after: archivePlace.optional() });
export const findArchived = z.strictObject({ domain, slug: z.string().max(ADDRESS_LIMITS.slugLength) });

export const PARTS = ['free', 'paid'] as const;
/** How recipients of a part see an edition. */
export const previewEdition = z.strictObject({
  id: fields.id(),
  part: fields.oneOf(PARTS).default('free'),
  version: fields.whole(1, 1_000_000_000).optional(),
});
/** Addresses are separated by commas or spaces in a form. */
export const sendTest = z.strictObject({
  id: fields.id(),
  part: fields.oneOf(PARTS).default('free'),
  to: listed(fields.email(), {
    split: (text) => text.split(/[\s,;]+/).filter((address) => address !== ''),
    max: EDITING_LIMITS.testRecipients,
    tooMany: 'newsletter.too_many_tests',
  }).refine((addresses) => addresses.length > 0, { error: 'field.email_required' }),
});

export const createAutomation = z
  .strictObject({
    trigger: fields.oneOf(AUTOMATION_TRIGGERS),
    /** Of a paid show; without one, any show counts. */
    product: z.string().max(ADDRESS_LIMITS.slugLength).optional(),
    /** Written drafts of its emails; without one, it has none yet. */
    start: fields.oneOf(AUTOMATION_STARTS).optional(),
  })
  .refine(
    ({ trigger, product, start }) => product === undefined || (start ? STARTS[start].trigger : trigger) !== 'sign_up',
    {
      error: 'field.invalid',
    },
  );
export const findAutomation = z.strictObject({ id: fields.id() });
export const renameAutomation = z.strictObject({
  id: fields.id(),
  name: fields.line(AUTOMATION_LIMITS.nameLength, 'newsletter.automation_name_required'),
});
export const switchAutomation = z.strictObject({ id: fields.id(), isActive: fields.flag() });
/** A step of an automation, by the id of its edition. */
export const findStep = z.strictObject({ id: fields.id(), stepId: fields.id() });
export const delayStep = z
  .strictObject({
    id: fields.id(),
    stepId: fields.id(),
    days: fields.whole(0, AUTOMATION_LIMITS.delayHours / 24),
    hours: fields.whole(0, 23).default(0),
  })
  .refine(({ days, hours }) => days * 24 + hours <= AUTOMATION_LIMITS.delayHours, {
    error: 'newsletter.delay_too_long',
    path: ['days'],
  });

export type CreateAutomation = z.infer<typeof createAutomation>;
export type FindAutomation = z.infer<typeof findAutomation>;
export type RenameAutomation = z.infer<typeof renameAutomation>;
export type SwitchAutomation = z.infer<typeof switchAutomation>;
export type FindStep = z.infer<typeof findStep>;
export type DelayStep = z.infer<typeof delayStep>;
/** The part of an address before the @, in lower case. Quotation marks and spaces, which RFC 5321 allows, are refused by many servers. */
const localPart = z
  .string({ error: 'newsletter.local_part_invalid' })
  .trim()
  .toLowerCase()
  .max(DOMAIN_LIMITS.localPartLength, { error: 'newsletter.local_part_invalid' })
  .regex(/^[a-z0-9]+(?:[._+-]+[a-z0-9]+)*$/, { error: 'newsletter.local_part_invalid' })
  .refine((text) => !text.includes('..'), { error: 'newsletter.local_part_invalid' });

export const addSendingDomain = z.strictObject({
  domain: fields.line(1000, 'newsletter.domain_invalid'),
  localPart,
});
export const findSendingDomain = z.strictObject({ id: fields.id() });
export const changeDomainSender = z.strictObject({ id: fields.id(), localPart });

export type AddSendingDomain = z.infer<typeof addSendingDomain>;
export type FindSendingDomain = z.infer<typeof findSendingDomain>;
export type ChangeDomainSender = z.infer<typeof changeDomainSender>;
export type FindLink = z.infer<typeof findLink>;
export type ArchivePlace = z.infer<typeof archivePlace>;
export type FindArchive = z.infer<typeof findArchive>;
export type FindArchived = z.infer<typeof findArchived>;
export type PreviewEdition = z.infer<typeof previewEdition>;
export type SendTest = z.infer<typeof sendTest>;
export type ChangeRecommendation = z.infer<typeof changeRecommendation>;
export type FindRecommendable = z.infer<typeof findRecommendable>;
export type ConfirmedLink = z.infer<typeof confirmedLink>;
export type JoinRecommended = z.infer<typeof joinRecommended>;
export type SaveNewsletter = z.infer<typeof saveNewsletter>;
export type FindEdition = z.infer<typeof findEdition>;
export type ListEditions = z.infer<typeof listEditions>;
export type FindReach = z.infer<typeof findReach>;
export type KeepText = z.infer<typeof keepText>;
export type UpdateEdition = z.infer<typeof updateEdition>;
export type CreateEdition = z.infer<typeof createEdition>;
export type RestoreVersion = z.infer<typeof restoreVersion>;
export type SendEdition = z.infer<typeof sendEdition>;
