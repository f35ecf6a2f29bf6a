import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route, strings } from '../api/route';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { clearable, flag, mergedMetadata, metadata, needed, type Shape, text } from '../wire/shapes';

export type ProductData = { name: string; description?: string | null; metadata?: Record<string, string> };

export function newProduct(work: Work, { name, description, metadata: said }: ProductData): Stripe.Product {
  const product: Stripe.Product = {
    ...BLANK.product,
    id: newId('prod', 14),
    object: 'product',
    active: true,
    created: work.now(),
    default_price: null,
    description: description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: said ?? {},
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
  images: strings(),
} satisfies Shape;

export const productRoutes: Route[] = [
  route('POST', '/v1/products', { ...FIELDS, name: needed(text()) }, async (work, input) => newProduct(work, input)),
  retrieveRoute('/v1/products', 'product'),
  route('POST', '/v1/products/:id', { ...FIELDS, name: text() }, async (work, input, { id = '' }) => {
    const product = await work.find('product', id);
    if (input.name !== undefined) product.name = input.name;
    if (input.description !== undefined) product.description = input.description;
    if (input.active !== undefined) product.active = input.active;
    product.metadata = mergedMetadata(product.metadata, input.metadata);
    product.updated = work.now();
    return product;
  }),
  listRoute('/v1/products', 'product', { filters: {} }),
];
