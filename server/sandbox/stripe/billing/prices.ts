import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { missingParameter, refused } from '../wire/faults';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import {
  flag,
  group,
  type Input,
  mergedMetadata,
  metadata,
  needed,
  one,
  type Shape,
  text,
  whole,
} from '../wire/shapes';
import { newProduct } from './products';

export const RECURRING = group({ interval: needed(one('day', 'week', 'month', 'year')), interval_count: whole(1, 36) });

/** A price said inline: of a product that is there, or of one that is made with it. */
export const PRICE_DATA = {
  currency: needed(text(3)),
  product: text(),
  product_data: group({
    name: needed(text()),
    description: text(),
    images: { read: (value: unknown) => value },
    metadata: metadata(),
  }),
  unit_amount: needed(whole(0, 99_999_999)),
  recurring: RECURRING,
  tax_behavior: text(),
} satisfies Shape;
export type PriceData = Input<typeof PRICE_DATA>;

type More = { nickname?: string; metadata?: Record<string, string> };

export async function newPrice(work: Work, said: PriceData, more: More = {}): Promise<Stripe.Price> {
  const { currency, product, product_data } = said;
  if (!['eur', 'usd', 'gbp'].includes(currency)) throw refused(`Invalid currency: ${currency}.`, { param: 'currency' });
  if (!product && !product_data) throw missingParameter('product');
  const { id } = product ? await work.find('product', product, 'product') : newProduct(work, product_data!);
  return work.add({ ...blankPrice(work, said, id), ...metadataOf(more) }, {}, 'price.created');
}

const metadataOf = ({ nickname, metadata: said }: More) => ({ nickname: nickname ?? null, metadata: said ?? {} });

const blankPrice = (work: Work, { currency, unit_amount, recurring }: PriceData, product: string) => ({
  ...BLANK.price,
  id: newId('price'),
  object: 'price' as const,
  active: true,
  billing_scheme: 'per_unit' as const,
  created: work.now(),
  currency,
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

export const productOf = (price: Stripe.Price): string => idOf(price.product);

export const priceRoutes: Route[] = [
  route('POST', '/v1/prices', { ...PRICE_DATA, nickname: text(), metadata: metadata() }, (work, input) =>
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
      price.metadata = mergedMetadata(price.metadata, input.metadata);
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
