import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { missingParameter } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import {
  arrayOf,
  currency,
  flag,
  group,
  httpUrl,
  type Input,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  required,
  type Shape,
  text,
} from '../wire/shapes';
import { newProduct, type ProductData } from './products';

const RECURRING = group({
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: integer(1, 36),
});

const PRICE = {
  currency: required(currency()),
  product: text(),
  unit_amount: required(integer(0, 99_999_999)),
  recurring: RECURRING,
} satisfies Shape;
/** A price for an existing product or a new one. */
const WITH_PRODUCT = {
  ...PRICE,
  product_data: group({ name: required(text()), metadata: metadata() }),
} satisfies Shape;
/** An inline price in Checkout, which can describe its product. */
export const CHECKOUT_PRICE = {
  ...PRICE,
  product_data: group({
    name: required(text()),
    description: text(),
    images: arrayOf(httpUrl()),
    metadata: metadata(),
  }),
} satisfies Shape;
/** An inline price of a subscription, always for an existing product. */
export const ITEM_PRICE = { ...PRICE, product: required(text()), recurring: required(RECURRING) } satisfies Shape;
export type PriceData = Input<typeof PRICE> & { product_data?: ProductData };

type PriceExtras = { nickname?: string; metadata?: Record<string, string> };

export async function newPrice(work: Work, input: PriceData, extras: PriceExtras = {}): Promise<Stripe.Price> {
  const { product, product_data } = input;
  if (!product && !product_data) throw missingParameter('product');
  const { id } = product ? await work.find('product', product, 'product') : newProduct(work, product_data!);
  return work.add({ ...priceFields(work, input, id), ...extrasOf(extras) }, {}, 'price.created');
}

const extrasOf = (extras: PriceExtras) => ({ nickname: extras.nickname ?? null, metadata: extras.metadata ?? {} });

const priceFields = (work: Work, { currency: code, unit_amount, recurring }: PriceData, product: string) => ({
  ...NULL_FIELDS.price,
  id: newId('price'),
  object: 'price' as const,
  active: true,
  billing_scheme: 'per_unit' as const,
  created: work.now(),
  currency: code,
  livemode: false,
  product,
  recurring: recurring
    ? {
        interval: recurring.interval,
        interval_count: recurring.interval_count ?? 1,
        meter: null,
        trial_period_days: null,
        usage_type: 'licensed' as const,
      }
    : null,
  tax_behavior: 'unspecified' as const,
  type: recurring ? ('recurring' as const) : ('one_time' as const),
  unit_amount,
  unit_amount_decimal: String(unit_amount) as never,
});

export const productIdOf = (price: Stripe.Price): string => idOf(price.product);

export const priceRoutes: Route[] = [
  route('POST', '/v1/prices', { ...WITH_PRODUCT, nickname: text(), metadata: metadata() }, (work, input) =>
    newPrice(work, input, { nickname: input.nickname, metadata: input.metadata }),
  ),
  retrieveRoute('/v1/prices', 'price'),
  route(
    'POST',
    '/v1/prices/:id',
    { active: flag(), nickname: text(), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const price = await work.find('price', id);
      if (input.active !== undefined) price.active = input.active;
      if (input.nickname !== undefined) price.nickname = input.nickname;
      price.metadata = mergeMetadata(price.metadata, input.metadata);
      return price;
    },
  ),
  listRoute('/v1/prices', 'price', {
    filters: { product: text(), active: flag() },
    criteria: ({ product, active }) => ({
      fields: { ...(product && { product }), ...(active !== undefined && { active: String(active) }) },
    }),
  }),
];
