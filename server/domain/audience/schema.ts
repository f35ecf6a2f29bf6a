import { z } from 'zod';
import { BUYER_STATES } from '~/db/values/buyer-states';
import { CONTACT_COLUMNS, type ContactColumn, LIST_HOSTS, LIST_KINDS } from '~/db/values/contact-imports';
import { CONTACT_ACTIONS, CONTACT_ORDERS, CONTACT_SOURCES, STATUS_FILTERS } from '~/db/values/contacts';
import { LANGUAGES } from '~/locales/languages';
import { fields } from '../../base/fields';
import { DATE_ORDERS } from '../../base/written-dates';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { CONTACT_LIMITS } from '../../limits/audience';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';

export const joinNewsletter = z.object({
  domain: z.string().max(ADDRESS_LIMITS.domainLength),
  email: fields.email(),
  /** Whether the creator may see when the person last read. */
  isTracked: fields.flag().optional(),
  /** A field that people do not see, and for how many milliseconds the form was open. */
  website: z.string().default('').catch(''),
  openFor: z.coerce.number().optional().catch(undefined),
});

/** `of`: the link of an email about new episodes of a show, or of any other email of a creator. */
const LINKS = ['list', 'show'] as const;
export const emailLink = z.object({ token: z.string().max(1000), of: z.enum(LINKS).default('list') });

/** `isTracked`: without it, the page has not asked. */
export const confirmJoin = emailLink.extend({ isTracked: fields.flag().optional() });

/** What a contact's person changes on their own page. */
export const chooseShow = emailLink.extend({ productId: fields.id(), wants: fields.flag() });
export const saveChoices = emailLink.extend({
  language: z.enum(LANGUAGES, { error: 'field.invalid' }),
  isTracked: fields.flag(),
});
export const eraseOwn = emailLink.extend({
  hasConfirmed: fields.flag().refine((confirmed) => confirmed, { error: 'contact.erasure_unconfirmed' }),
});

const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, { error: 'field.invalid' });
/** Forms separate tags by commas. */
const tag = fields
  .line(CONTACT_LIMITS.tag, 'field.required')
  .refine((name) => !name.includes(','), { error: 'contact.tag_without_comma' });

/**
 * `tag` and `show`: the name and the slug. `since`: the first UTC day. `unseen`: months in which people who agreed to be seen
 * have read nothing.
 */
export const contactFilter = z.strictObject({
  // a text of control characters alone would be cleaned to nothing, and find all contacts
  search: z
    .string({ error: 'field.invalid' })
    .refine((text) => text.trim() === '' || /[^\p{Cc}\s]/u.test(text), { error: 'field.invalid' })
    .pipe(fields.optionalLine(CONTACT_LIMITS.search))
    .optional(),
  status: oneOf(STATUS_FILTERS).optional(),
  tag: tag.optional(),
  show: fields.line(ADDRESS_LIMITS.slugLength, 'field.required').optional(),
  subscription: oneOf(BUYER_STATES).optional(),
  source: oneOf(CONTACT_SOURCES).optional(),
  since: z.iso.date({ error: 'field.invalid' }).optional(),
  unseen: fields.whole(1, CONTACT_LIMITS.unseenMonths).optional(),
});

const cursor = z.string().max(1000).optional();
export const listContacts = contactFilter.extend({
  sort: oneOf(CONTACT_ORDERS).default('newest'),
  after: cursor,
  before: cursor,
  /** The length of a page. */
  limit: fields.whole(1, CONTACT_LIMITS.mostListed).default(CONTACT_LIMITS.pageSize),
});
export const exportContacts = z.strictObject({ after: z.number().int().nonnegative().default(0) });
export const findContact = z.strictObject({ id: fields.id() });

/** Tags are separated by commas in a form. */
const tags = z
  .union([z.string(), z.array(z.string())], {
    error: ({ input }) => (input === undefined ? 'field.required' : 'field.invalid'),
  })
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .transform((names) => names.map((name) => name.trim()).filter((name) => name !== ''))
  .pipe(z.array(tag).max(CONTACT_LIMITS.tagsOfContact, { error: 'field.too_long' }));

export const addContact = z.strictObject({
  email: fields.email(),
  name: fields.optionalLine(CONTACT_LIMITS.name).default(''),
  tags: tags.default([]),
  hasAgreed: fields.flag().refine((agreed) => agreed, { error: 'field.required' }),
});
/** Without an address, it stays. */
export const updateContact = z.strictObject({
  id: fields.id(),
  email: fields.email().optional(),
  name: fields.optionalLine(CONTACT_LIMITS.name),
  tags,
});

/** The contacts are named by their ids, or by the filter that finds them. */
export const changeContacts = z
  .strictObject({
    action: oneOf(CONTACT_ACTIONS),
    ids: z.array(fields.id()).max(CONTACT_LIMITS.batch, { error: 'field.too_long' }).optional(),
    filter: contactFilter.optional(),
    tag: tag.optional(),
  })
  .refine(({ ids, filter }) => (filter ? ids === undefined : ids && ids.length > 0), {
    path: ['ids'],
    error: 'field.required',
  })
  .refine(({ action, tag }) => (action !== 'tag' && action !== 'untag') || tag, {
    path: ['tag'],
    error: 'field.required',
  });
export const undoChange = z.strictObject({ batchId: z.uuid({ error: 'field.invalid' }) });

export const saveSegment = z.strictObject({
  name: fields.line(CONTACT_LIMITS.segmentName, 'field.required'),
  filter: contactFilter,
});

export const renameSegment = saveSegment.pick({ name: true }).extend({ id: fields.id() });

export type JoinNewsletter = z.infer<typeof joinNewsletter>;
export type ConfirmJoin = z.input<typeof confirmJoin>;
export type EmailLink = z.input<typeof emailLink>;
export type ChooseShow = z.infer<typeof chooseShow>;
export type SaveChoices = z.infer<typeof saveChoices>;
export type EraseOwn = z.infer<typeof eraseOwn>;
export type ContactFilter = z.infer<typeof contactFilter>;
export type ListContacts = z.infer<typeof listContacts>;
export type ExportContacts = z.infer<typeof exportContacts>;
export type FindContact = z.infer<typeof findContact>;
export type AddContact = z.infer<typeof addContact>;
export type UpdateContact = z.infer<typeof updateContact>;
export type ChangeContacts = z.infer<typeof changeContacts>;
export type UndoContactChange = z.infer<typeof undoChange>;
export type RenameSegment = z.infer<typeof renameSegment>;
export type SaveSegment = z.infer<typeof saveSegment>;

const blank = (value: unknown) => (value === '' ? undefined : value);
const place = z.preprocess(
  (value) => (value === '' ? undefined : value === 'none' ? null : value),
  fields.whole(0, CONTACT_IMPORT_LIMITS.cells - 1).nullish(),
);
/** A file of contacts, with the creator's corrections: for each field the index of its column, or null for no column. */
export const previewContacts = z.object({
  contactsKey: fields.line(CONTACT_IMPORT_LIMITS.keyLength, 'contact_import.file_required'),
  host: z.preprocess(blank, fields.oneOf(LIST_HOSTS).optional()),
  kind: z.preprocess(blank, fields.oneOf(LIST_KINDS).optional()),
  order: z.preprocess(blank, fields.oneOf(DATE_ORDERS).optional()),
  ...(Object.fromEntries(CONTACT_COLUMNS.map((column) => [column, place])) as Record<ContactColumn, typeof place>),
});

/**
 * The creator's declaration: where the people have agreed, and by which day. People who get no emails have agreed to
 * nothing, so a list of them needs none.
 */
export const importContacts = previewContacts
  .extend({
    hasAgreed: fields.flag().default(false),
    consentSource: fields.optionalLine(CONTACT_IMPORT_LIMITS.sourceLength).default(''),
    consentedOn: z.preprocess(blank, z.iso.date({ error: 'contact_import.date_required' }).optional()),
  })
  .superRefine(({ kind = 'contacts', hasAgreed, consentSource, consentedOn }, ctx) => {
    if (kind !== 'contacts') return;
    const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (!hasAgreed) refuse('hasAgreed', 'contact_import.declaration_required');
    if (consentSource === '') refuse('consentSource', 'contact_import.source_required');
    if (consentedOn === undefined) refuse('consentedOn', 'contact_import.date_required');
  });
export const exportImportProblems = z.object({
  id: fields.id(),
  after: fields.whole(0, Number.MAX_SAFE_INTEGER).default(0),
});

export type PreviewContacts = z.infer<typeof previewContacts>;
export type ImportContacts = z.infer<typeof importContacts>;
export type ExportImportProblems = z.infer<typeof exportImportProblems>;
