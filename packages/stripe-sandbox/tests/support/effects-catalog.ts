import { expect } from 'vitest';
import { all, DAY, type Effect, METADATA, newSubscription, now, type RouteEffects, refuses, shows } from './effects';

const PICTURE = 'https://a.example/x.png';

/** A time in the future is kept. */
const later: Effect = (probe) => shows(now(probe.world) + DAY)(probe);

const ownCustomer: Effect = async ({ world, send }) =>
  expect(await send({ customer: world.customer })).toMatchObject({ customer: world.customer });

const catalog: Record<string, RouteEffects> = {
  'POST /v1/products': {
    base: () => ({ path: '/v1/products', params: { name: 'Ruido' } }),
    effects: {
      name: shows('Silencio'),
      description: shows('Un programa'),
      active: shows(false),
      metadata: METADATA,
      images: shows([PICTURE]),
    },
  },
  'POST /v1/products/:id': {
    base: async ({ stripe }) => ({ path: `/v1/products/${(await stripe.products.create({ name: 'Ruido' })).id}` }),
    effects: {
      name: shows('Silencio'),
      description: shows('Un programa'),
      active: shows(false),
      metadata: METADATA,
      images: shows([PICTURE]),
    },
  },
  'POST /v1/prices': {
    base: ({ product }) => ({ path: '/v1/prices', params: { product, currency: 'eur', unit_amount: 300 } }),
    effects: {
      currency: all(shows('usd'), refuses('xyz')),
      product: all(refuses('prod_nothing'), async ({ world, send }) =>
        expect(await send()).toMatchObject({ product: world.product }),
      ),
      'product_data[name]': async ({ send }) =>
        expect(await send({ product: undefined, 'product_data[name]': 'Nuevo', expand: ['product'] })).toMatchObject({
          product: { name: 'Nuevo' },
        }),
      'product_data[metadata]': async ({ send }) => {
        const product_data = { name: 'Nuevo', metadata: { order: '17' } };
        expect(await send({ product: undefined, product_data, expand: ['product'] })).toMatchObject({
          product: { metadata: { order: '17' } },
        });
      },
      unit_amount: shows(450),
      'recurring[interval]': all(shows('year'), refuses('decade')),
      'recurring[interval_count]': shows(3, { with: { 'recurring[interval]': 'month' } }),
      nickname: shows('Mensual'),
      metadata: METADATA,
    },
  },
  'POST /v1/prices/:id': {
    base: async ({ stripe, product }) => {
      const { id } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 300 });
      return { path: `/v1/prices/${id}` };
    },
    effects: { active: shows(false), nickname: shows('Mensual'), metadata: METADATA },
  },
};

const coupons: Record<string, RouteEffects> = {
  'POST /v1/coupons': {
    base: () => ({ path: '/v1/coupons', params: { percent_off: 10 } }),
    effects: {
      id: shows('VERANO'),
      name: shows('Verano'),
      percent_off: all(shows(12.5), refuses(33.333), refuses(101)),
      amount_off: shows(200, { with: { percent_off: undefined, currency: 'eur' } }),
      currency: all(shows('usd', { with: { percent_off: undefined, amount_off: 200 } }), refuses('xyz')),
      duration: shows('forever'),
      duration_in_months: all(shows(3, { with: { duration: 'repeating' } }), refuses(3)),
      max_redemptions: shows(5),
      redeem_by: later,
      metadata: METADATA,
    },
  },
  'POST /v1/coupons/:id': {
    base: ({ coupon }) => ({ path: `/v1/coupons/${coupon}` }),
    effects: { name: shows('Otoño'), metadata: METADATA },
  },
  'POST /v1/promotion_codes': {
    base: ({ coupon }) => ({ path: '/v1/promotion_codes', params: { promotion: { type: 'coupon', coupon } } }),
    effects: {
      'promotion[type]': async ({ world, send }) => {
        const promotion = { type: 'gift', coupon: world.coupon };
        await expect(send({ promotion })).rejects.toMatchObject({ param: 'promotion[type]' });
      },
      'promotion[coupon]': async ({ world, send }) => {
        expect(await send()).toMatchObject({ promotion: { coupon: world.coupon } });
        const promotion = { type: 'coupon', coupon: 'nothing' };
        await expect(send({ promotion })).rejects.toMatchObject({ param: 'promotion[coupon]' });
      },
      code: shows('MAYO', { as: 'MAYO' }),
      active: shows(false),
      customer: all(ownCustomer, refuses('cus_nothing'), async ({ world, send }) => {
        const { id } = await send({ customer: world.customer });
        const other = newSubscription(world, { discounts: [{ promotion_code: String(id) }] });
        await expect(other).rejects.toMatchObject({ param: 'discounts[0][promotion_code]' });
      }),
      max_redemptions: shows(5),
      expires_at: later,
      metadata: METADATA,
    },
  },
  'POST /v1/promotion_codes/:id': {
    base: async ({ stripe, coupon }) => {
      const { id } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } });
      return { path: `/v1/promotion_codes/${id}` };
    },
    effects: { active: shows(false), metadata: METADATA },
  },
};

export const CATALOG_EFFECTS = { ...catalog, ...coupons };
