import { z } from 'zod';
import { fields, listFields, pick } from '../../fields';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { PRODUCT_LIMITS } from '../../limits/products';
import { categoryPath } from '../reference/kinds';
import { isLanguageCode } from '../reference/rules';
import { KIND_NAMES } from './kinds';

const kind = fields.oneOf(KIND_NAMES, 'product.kind_required');
/** Clients send "free" as null, as an empty field or as 0.00. */
const noPrice = z.preprocess(
  (value) => (typeof value !== 'object' && Number(value ?? 0) === 0 ? null : value),
  z.null({ error: 'product.only_free' }),
);
/** Every field that an owner can set, without defaults: the update schema makes all of them optional. */
const editable = z.strictObject({
  name: fields.line(PRODUCT_LIMITS.nameLength, 'product.name_required'),
  description: fields
    .text(PRODUCT_LIMITS.descriptionLength, 'product.description_required')
    .refine((text) => text !== '', { error: 'product.description_required' }),
  category: z.coerce
    .number({ error: 'product.category_required' })
    .refine((id) => categoryPath(id) !== null, { error: 'product.category_required' }),
  language: z
    .string({ error: 'product.language_required' })
    .refine(isLanguageCode, { error: 'product.language_required' }),
  slug: fields.slug(PRODUCT_LIMITS.slugLength),
  welcomeMessage: fields.text(PRODUCT_LIMITS.messageLength),
  subscriberEmailMessage: fields.text(PRODUCT_LIMITS.messageLength),
  hideSubscribeButton: fields.flag(),
  explicit: fields.flag(),
  /** Until products can be sold, a price is rejected rather than silently ignored. */
  planType: z.literal('free', { error: 'product.only_free' }),
  price: noPrice,
  annualPrice: noPrice,
  currency: fields.oneOf(['eur', 'usd']),
  coverKey: fields.uploadKey('product.cover_required'),
});
const { shape } = editable;

export const updateProduct = editable.partial().extend({ id: fields.id(), kind });

export const createProduct = z.object({
  kind,
  ...editable.partial().shape,
  ...pick(shape, ['name', 'description', 'category', 'language', 'coverKey']),
  welcomeMessage: shape.welcomeMessage.default(''),
  subscriberEmailMessage: shape.subscriberEmailMessage.default(''),
  hideSubscribeButton: shape.hideSubscribeButton.default(false),
  explicit: shape.explicit.default(false),
  planType: shape.planType.default('free'),
});

/** The fields that are stored as they were sent. */
export const PRODUCT_COLUMNS = [
  'name',
  'slug',
  'description',
  'category',
  'language',
  'welcomeMessage',
  'subscriberEmailMessage',
  'hideSubscribeButton',
  'explicit',
  'currency',
] as const satisfies (keyof typeof shape)[];

export const findProduct = z.object({ id: fields.id(), kind });

export const listProducts = z.object({
  kind: kind.optional(),
  ...listFields,
  ordering: fields
    .oneOf(['created_at', '-created_at', 'name', '-name'], 'field.ordering_unknown')
    .default('-created_at'),
});

export const checkSlug = z.object({
  slug: z.string().max(ADDRESS_LIMITS.slugLength),
  exceptId: fields.id().optional(),
});

export const discoverProducts = z.object({ pageSize: listFields.pageSize });

export type CreateProduct = z.infer<typeof createProduct>;
export type UpdateProduct = z.infer<typeof updateProduct>;
export type FindProduct = z.infer<typeof findProduct>;
export type ListProducts = z.infer<typeof listProducts>;
export type CheckSlug = z.infer<typeof checkSlug>;
export type DiscoverProducts = z.infer<typeof discoverProducts>;
