import { z } from 'zod';
import { serviceOfPrefix } from '~/db/values/measurement-prefixes';
import { fields, listFields, pick, toNumber } from '../../base/fields';
import { CURRENCIES } from '../../base/money';
import { CATEGORIES, categoryPath } from '../../feed/apple-categories';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { PRODUCT_LIMITS } from '../../limits/products';
import { DIRECTORY_NAMES, type DirectoryName, isListing, isSpotifyShow } from '../reference/directories';
import { isLanguageCode, LANGUAGE_CODES } from '../reference/rules';
import { KIND_NAMES } from './kinds';
import { PLAN_TYPES, SETTINGS, type SettingsPart } from './rules';

const kind = fields.oneOf(KIND_NAMES, 'product.kind_required');

/** One of Apple's, by its id. */
export const category = z.preprocess(
  (value) => (value === null || value === '' ? undefined : toNumber(value)),
  z
    .number({ error: ({ input }) => (input === undefined ? 'product.category_required' : 'product.category_unknown') })
    .refine((id) => categoryPath(id) !== null, { error: 'product.category_unknown' })
    .describe(`Apple's categories: ${CATEGORIES.map(({ id, name }) => `${id} ${name}`).join(', ')}.`),
);

export const language = z
  .string({ error: 'product.language_required' })
  .refine(isLanguageCode, {
    error: ({ input }) => (input === '' ? 'product.language_required' : 'product.language_unknown'),
  })
  .describe(`ISO 639-1: ${LANGUAGE_CODES.join(', ')}.`);

/** Amount in minor units. Clients send null, an empty field or 0.00 for no price. */
const price = z.preprocess(
  (value) => (typeof value !== 'object' && Number(value ?? 0) === 0 ? null : value),
  fields.amount().nullable(),
);
/** A form has one prefix per line, JSON a list. Their order is kept: the first one is outermost. */
const prefixes = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split('\n') : value),
    z.array(fields.optionalLine(Number.POSITIVE_INFINITY), { error: 'field.invalid' }),
  )
  .transform((lines) => lines.filter((line) => line !== ''))
  .refine((lines) => lines.length <= PRODUCT_LIMITS.prefixes, { error: 'product.too_many_prefixes' })
  .refine((lines) => lines.every((line) => serviceOfPrefix(line) !== null), { error: 'product.prefix_unknown' })
  .refine((lines) => new Set(lines.map(serviceOfPrefix)).size === lines.length, { error: 'product.prefix_twice' });

/** Fields that only the feed and its directories show. Empty fields are left out of the feed. */
const feedFields = {
  author: fields.optionalLine(PRODUCT_LIMITS.authorLength),
  copyright: fields.optionalLine(PRODUCT_LIMITS.copyrightLength),
  fundingUrl: fields.webAddress(PRODUCT_LIMITS.urlLength),
  fundingText: fields.optionalLine(PRODUCT_LIMITS.fundingTextLength),
  ownerName: fields.optionalLine(PRODUCT_LIMITS.authorLength),
  ownerEmail: z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    fields.email().nullable(),
  ),
  spotifyShowUrl: fields.webAddress(PRODUCT_LIMITS.urlLength, isSpotifyShow, 'product.spotify_url_invalid'),
  complete: fields.flag(),
  /** Number of episodes on one page of the public feed. Empty: all episodes on one page. */
  feedLength: z.preprocess(
    (value) => (value === '' ? null : value),
    fields.whole(PRODUCT_LIMITS.feedLength.min, PRODUCT_LIMITS.feedLength.max).nullable(),
  ),
  namesListener: fields.flag(),
  measurementPrefixes: prefixes,
  /** Days between private episodes, for each listener. Empty: no drip. */
  dripDays: z.preprocess((value) => (value === '' ? 0 : value), fields.whole(0, PRODUCT_LIMITS.dripDays)),
  /** Days during which public episodes are only for subscribers. Empty: no early access. */
  earlyAccessDays: z.preprocess((value) => (value === '' ? 0 : value), fields.whole(0, PRODUCT_LIMITS.earlyAccessDays)),
};

/** A form has one benefit per line, JSON a list. Blank and repeated ones are dropped. The errors are the whole field's. */
const benefits = fields.lines(
  { items: PRODUCT_LIMITS.benefits, length: PRODUCT_LIMITS.benefitLength },
  { tooMany: 'product.too_many_benefits', tooLong: 'product.benefit_too_long' },
);

/** Every field that an owner can set, without defaults: the update schema makes all fields optional. */
const editable = z.strictObject({
  name: fields.line(PRODUCT_LIMITS.nameLength, 'product.name_required'),
  description: fields
    .text(PRODUCT_LIMITS.descriptionLength, 'product.description_required')
    .refine((text) => text !== '', { error: 'product.description_required' }),
  category,
  language,
  slug: fields.slug(PRODUCT_LIMITS.slugLength),
  welcomeMessage: fields.text(PRODUCT_LIMITS.messageLength),
  subscriberEmailMessage: fields.text(PRODUCT_LIMITS.messageLength),
  hideSubscribeButton: fields.flag(),
  explicit: fields.flag(),
  /** Whether the discovery page lists the show. */
  isListed: fields.flag(),
  /** Whether everybody may see how often the show was played. */
  showsPlays: fields.flag(),
  /** Together these fields define the prices (rules.ts), which have bounds in each currency. */
  planType: fields.oneOf(PLAN_TYPES),
  price,
  annualPrice: price,
  currency: fields.oneOf(CURRENCIES),
  /** Buyers may pay more than the price. */
  paysWhatTheyWant: fields.flag(),
  /** Days of a subscription's trial. Empty: no trial. */
  trialDays: z.preprocess((value) => (value === '' ? 0 : value), fields.whole(0, PRODUCT_LIMITS.trialDays)),
  benefits,
  coverKey: fields.uploadKey('product.cover_required'),
  ...feedFields,
});
const { shape } = editable;

export const updateProduct = editable.partial().extend({ id: fields.id(), kind: kind.optional() });

/** The part of `updateProduct` that a page of the settings sends. */
export function settingsOf(part: SettingsPart) {
  const names: readonly (keyof typeof shape)[] = SETTINGS[part];
  return z.strictObject({ id: fields.id(), kind: kind.optional(), ...pick(updateProduct.shape, names) });
}

export const createProduct = z.object({
  kind,
  ...editable.partial().shape,
  ...pick(shape, ['name', 'description', 'category', 'language', 'coverKey']),
  welcomeMessage: shape.welcomeMessage.default(''),
  subscriberEmailMessage: shape.subscriberEmailMessage.default(''),
  hideSubscribeButton: shape.hideSubscribeButton.default(false),
  explicit: shape.explicit.default(false),
  complete: shape.complete.default(false),
  isListed: shape.isListed.default(true),
});

/** The fields that are stored unchanged; prices are not among them. */
export const PRODUCT_COLUMNS = [
  'name',
  'slug',
  'description',
  'category',
  'language',
  'welcomeMessage',
  'subscriberEmailMessage',
  'hideSubscribeButton',
  'paysWhatTheyWant',
  'trialDays',
  'benefits',
  'explicit',
  'isListed',
  'author',
  'copyright',
  'fundingUrl',
  'fundingText',
  'ownerName',
  'ownerEmail',
  'spotifyShowUrl',
  'complete',
  'feedLength',
  'namesListener',
  'measurementPrefixes',
  'showsPlays',
  'earlyAccessDays',
  'dripDays',
] as const satisfies (keyof typeof shape)[];

/** Without a kind, any product is found. */
export const findProduct = z.object({ id: fields.id(), kind: kind.optional() });

/** `at_period_end`: subscriptions end with their periods. `refund`: they end now, and their unused part is refunded. */
const freeConversion = z.enum(['at_period_end', 'refund']);
/** `isConfirmed`: the checkbox of the form, because refunds can't be undone. */
export const startFreeConversion = findProduct
  .extend({ how: freeConversion.default('at_period_end'), isConfirmed: fields.flag().optional() })
  .refine(({ how, isConfirmed }) => how !== 'refund' || isConfirmed === true, {
    error: 'product.refund_unconfirmed',
    path: ['isConfirmed'],
  });

/** Screens send the name that the user has typed; other clients may leave it out. */
export const deleteProduct = findProduct.extend({ confirmation: z.string().max(1000).optional() });

const listing = (name: DirectoryName) =>
  fields.webAddress(PRODUCT_LIMITS.urlLength, (url) => isListing(name, url), 'product.listing_invalid').optional();

/** The show's pages in directories. Missing ones stay unchanged; null removes one. */
export const updateListings = findProduct.extend(
  Object.fromEntries(DIRECTORY_NAMES.map((name) => [name, listing(name)])) as Record<
    DirectoryName,
    ReturnType<typeof listing>
  >,
);

export const feedOwnerLink = z.object({ token: z.string().max(1000, { error: 'product.owner_link_expired' }) });

export const listProducts = z.object({
  kind: kind.optional(),
  /** Lists either only archived products, or only others. */
  archived: fields.flag().default(false),
  ...listFields,
  ordering: fields
    .oneOf(['created_at', '-created_at', 'name', '-name'], 'field.ordering_unknown')
    .default('-created_at'),
});

export const checkSlug = z.object({
  slug: z.string().max(ADDRESS_LIMITS.slugLength),
  exceptId: fields.id().optional(),
});

/** Forms send empty strings for fields that users leave blank. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** A category of Apple's tree by its id or its slug. */
const anyCategory = z
  .union([z.string().max(PRODUCT_LIMITS.slugLength), z.number()])
  .transform((value) => CATEGORIES.find(({ id, slug }) => String(id) === String(value) || slug === value)?.id)
  .refine((id) => id !== undefined, { error: 'field.invalid' });

export const DISCOVER_ORDERS = ['-popularity', '-created_at', 'name'] as const;

/** Without an order, the best matches of a search come first; without a search, the most popular products. */
export const discoverProducts = z.object({
  kind: optional(kind),
  category: optional(anyCategory),
  language: optional(z.string().max(10).refine(isLanguageCode, { error: 'field.invalid' })),
  price: optional(fields.oneOf(['free', 'paid'])),
  ...listFields,
  ordering: optional(fields.oneOf(DISCOVER_ORDERS, 'field.ordering_unknown')),
});

export type CreateProduct = z.infer<typeof createProduct>;
export type UpdateProduct = z.infer<typeof updateProduct>;
export type DeleteProduct = z.infer<typeof deleteProduct>;
export type FreeConversion = z.infer<typeof freeConversion>;
export type StartFreeConversion = z.infer<typeof startFreeConversion>;
export type FindProduct = z.infer<typeof findProduct>;
export type UpdateListings = z.infer<typeof updateListings>;
export type FeedOwnerLink = z.infer<typeof feedOwnerLink>;
export type ListProducts = z.infer<typeof listProducts>;
export type CheckSlug = z.infer<typeof checkSlug>;
export type DiscoverProducts = z.infer<typeof discoverProducts>;
