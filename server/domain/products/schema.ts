import { z } from 'zod';
import { fields, listFields } from '../../fields';
import { PRODUCT_LIMITS } from '../../limits/products';
import { categoryPath } from '../reference/kinds';
import { isLanguage } from '../reference/rules';
import { KIND_NAMES } from './kinds';

const kind = fields.oneOf(KIND_NAMES, 'product.kind_required');
/** Clients say "free" as null, as an empty field or as 0.00. */
const noPrice = z.preprocess(
  (value) => (typeof value !== 'object' && Number(value ?? 0) === 0 ? null : value),
  z.null({ error: 'product.only_free' }),
);
const describing = {
  name: fields.line(PRODUCT_LIMITS.nameLength, 'product.name_required'),
  description: fields
    .text(PRODUCT_LIMITS.descriptionLength, 'product.description_required')
    .refine((text) => text !== '', { error: 'product.description_required' }),
  category: z.coerce
    .number({ error: 'product.category_required' })
    .refine((id) => categoryPath(id) !== null, { error: 'product.category_required' }),
  language: z.string({ error: 'product.language_required' }).refine(isLanguage, { error: 'product.language_required' }),
  slug: fields.slug(PRODUCT_LIMITS.slugLength),
  welcomeMessage: fields.text(PRODUCT_LIMITS.messageLength),
  subscriberEmailMessage: fields.text(PRODUCT_LIMITS.messageLength),
  hideSubscribeButton: fields.flag(),
  explicit: fields.flag(),
  /** Selling comes with the money rooms: until then a product is free, and a price is refused rather than forgotten. */
  planType: z.literal('free', { error: 'product.only_free' }),
  price: noPrice,
  annualPrice: noPrice,
  currency: fields.oneOf(['eur', 'usd']),
};

export const createProduct = z.object({
  kind,
  ...describing,
  coverKey: fields.uploadKey('product.cover_required'),
  slug: describing.slug.optional(),
  welcomeMessage: describing.welcomeMessage.default(''),
  subscriberEmailMessage: describing.subscriberEmailMessage.default(''),
  hideSubscribeButton: describing.hideSubscribeButton.default(false),
  explicit: describing.explicit.default(false),
  planType: describing.planType.default('free'),
  price: describing.price.optional(),
  annualPrice: describing.annualPrice.optional(),
  currency: describing.currency.optional(),
});

export const updateProduct = z
  .strictObject({ id: fields.id(), kind, coverKey: fields.uploadKey('product.cover_required'), ...describing })
  .partial({
    name: true,
    description: true,
    category: true,
    language: true,
    slug: true,
    welcomeMessage: true,
    subscriberEmailMessage: true,
    hideSubscribeButton: true,
    explicit: true,
    planType: true,
    price: true,
    annualPrice: true,
    currency: true,
    coverKey: true,
  });

export const findProduct = z.object({ id: fields.id(), kind });

export const listProducts = z.object({
  kind: kind.optional(),
  ...listFields,
  ordering: fields
    .oneOf(['created_at', '-created_at', 'name', '-name'], 'field.ordering_unknown')
    .default('-created_at'),
});

export const checkSlug = z.object({ slug: z.string().max(200), exceptId: fields.id().optional() });

export const discoverProducts = z.object({ pageSize: listFields.pageSize });

export type CreateProduct = z.infer<typeof createProduct>;
export type UpdateProduct = z.infer<typeof updateProduct>;
export type FindProduct = z.infer<typeof findProduct>;
export type ListProducts = z.infer<typeof listProducts>;
export type DiscoverProducts = z.infer<typeof discoverProducts>;
