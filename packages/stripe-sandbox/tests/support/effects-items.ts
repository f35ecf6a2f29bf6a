import { expect } from 'vitest';
import type { Body, Effect, Probe, World } from './effects';

/** Sends a route's call with one item. */
type SendItem = (probe: Probe, item: Body) => Promise<Body>;

export const ofNew: SendItem = ({ send }, item) => send({ items: [item] });

/** Names the present item, which the call changes. */
export const ofPresent: SendItem = async ({ world, prepare, send }, item) => {
  const call = await prepare();
  const { items } = await world.stripe.subscriptions.retrieve(call.path.split('/').at(-1) ?? '');
  return send({ items: [{ id: items.data[0]!.id, ...item }] }, call);
};

/** The effects of an item's terms, which the subscription then shows. */
export function termsBy(sendItem: SendItem): Record<string, Effect> {
  const item =
    (make: (world: World) => Body, at: string, expected: (world: World) => unknown): Effect =>
    async (probe) =>
      expect(await sendItem(probe, make(probe.world))).toHaveProperty(`items.data.0.${at}`, expected(probe.world));
  const inline = (more: Body, at: string, expected: unknown) =>
    item(
      (world) => ({ price_data: priceData(world, more) }),
      `price.${at}`,
      () => expected,
    );
  const refused =
    (more: Body, param: string): Effect =>
    async (probe) => {
      const attempt = sendItem(probe, { price_data: priceData(probe.world, more) });
      await expect(attempt).rejects.toMatchObject({ param, statusCode: 400 });
    };
  return {
    'items[][price]': item(
      ({ yearly }) => ({ price: yearly }),
      'price.id',
      ({ yearly }) => yearly,
    ),
    'items[][quantity]': item(
      ({ price }) => ({ price, quantity: 3 }),
      'quantity',
      () => 3,
    ),
    'items[][metadata]': item(
      ({ price }) => ({ price, metadata: { order: '17' } }),
      'metadata',
      () => ({ order: '17' }),
    ),
    'items[][price_data][currency]': refused({ currency: 'xyz' }, 'items[0][price_data][currency]'),
    'items[][price_data][product]': refused({ product: 'prod_nothing' }, 'product'),
    'items[][price_data][unit_amount]': inline({ unit_amount: 850 }, 'unit_amount', 850),
    'items[][price_data][recurring][interval]': inline({ recurring: YEARLY }, 'recurring.interval', 'year'),
    'items[][price_data][recurring][interval_count]': inline({ recurring: QUARTERLY }, 'recurring.interval_count', 3),
  };
}

const MONTHLY = { interval: 'month' };
const YEARLY = { interval: 'year' };
const QUARTERLY = { interval: 'month', interval_count: 3 };
export const priceData = ({ product }: World, more: Body = {}) => ({
  currency: 'eur',
  product,
  unit_amount: 700,
  recurring: MONTHLY,
  ...more,
});
