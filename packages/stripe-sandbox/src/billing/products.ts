import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { arrayOf, clearable, flag, httpUrl, mergeMetadata, metadata, required, type Shape, text } from '../wire/shapes';

export type ProductData = {
  name: string;
  description?: string | null;
  images?: string[];
  active?: boolean;
  metadata?: Record<string, string>;
};

export function newProduct(work: Work, input: ProductData): Stripe.Product {
  const { name, description, images, active, metadata: initialMetadata } = input;
  const product: Stripe.Product = {
    ...NULL_FIELDS.product,
    id: newId('prod', 14),
    object: 'product',
    active: active ?? true,
    created: work.now(),
    default_price: null,
    description: description ?? null,
    images: images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, initialMetadata),
    name,
    type: 'service',
    updated: work.now(),
  };
  return work.add(product, {}, 'product.created');
}

const FIELDS = {
  description: clearable(text()),
  active: flag(),
  metadata: metadata(),
  images: arrayOf(httpUrl()),
} satisfies Shape;

export const productRoutes: Route[] = [
  route('POST', '/v1/products', { ...FIELDS, name: required(text()) }, async (work, input) => newProduct(work, input)),
  retrieveRoute('/v1/products', 'product'),
  route('POST', '/v1/products/:id', { ...FIELDS, name: text() }, async (work, input, { id = '' }) => {
    const product = await work.find('product', id);
    if (input.name !== undefined) product.name = input.name;
    if (input.description !== undefined) product.description = input.description;
    if (input.active !== undefined) product.active = input.active;
    if (input.images) product.images = input.images;
    product.metadata = mergeMetadata(product.metadata, input.metadata);
    product.updated = work.now();
    return product;
  }),
  listRoute('/v1/products', 'product', { filters: {} }),
];
