import type Stripe from 'stripe';
import { expect } from 'vitest';
import {
  all,
  type Body,
  DAY,
  type Effect,
  newSubscription,
  now,
  type Params,
  type Probe,
  type RouteEffects,
  refuses,
  type World,
} from './effects';

/** Sends a preview with one item, which names the subscription's present one. */
async function previewItem({ world, prepare, send }: Probe, item: Body): Promise<Stripe.Invoice> {
  const call = await prepare();
  const { items } = await world.stripe.subscriptions.retrieve(String(call.params?.subscription));
  const subscription_details = { items: [{ id: items.data[0]!.id, ...item }], proration_behavior: 'always_invoice' };
  return (await send({ subscription_details }, call)) as unknown as Stripe.Invoice;
}

const ITEMS = 'subscription_details[items][]';
const ITEM_PRICE = `${ITEMS}[price_data]`;
const totals =
  (item: (world: World) => Body, total: number): Effect =>
  async (probe) =>
    expect((await previewItem(probe, item(probe.world))).total).toBe(total);
const terms = ({ product }: World, more: Body = {}) => ({
  price_data: { currency: 'eur', product, unit_amount: 3000, recurring: { interval: 'month' }, ...more },
});
const refused =
  (more: Body, param: string): Effect =>
  async (probe) =>
    expect(previewItem(probe, terms(probe.world, more))).rejects.toMatchObject({ param, statusCode: 400 });
const upcoming =
  (more: (world: World) => Params, total: number | null): Effect =>
  async ({ world, send }) => {
    if (total === null) await expect(send(more(world))).rejects.toMatchObject({ code: 'invoice_upcoming_none' });
    else expect(await send(more(world))).toMatchObject({ total });
  };

const preview: RouteEffects = {
  base: async (world) => ({
    path: '/v1/invoices/create_preview',
    params: { subscription: (await newSubscription(world)).id },
  }),
  effects: {
    customer: async (probe) => {
      await refuses(probe.world.customer)(probe);
      const { id, customer } = await newSubscription(probe.world);
      expect(await probe.send({ subscription: id, customer })).toMatchObject({ customer });
    },
    subscription: all(
      refuses('sub_nothing'),
      upcoming(() => ({}), 1000),
    ),
    [`${ITEMS}[id]`]: async (probe) =>
      expect(previewItem(probe, { id: 'si_nothing', price: probe.world.yearly })).rejects.toMatchObject({
        param: 'items[0][id]',
      }),
    [`${ITEMS}[price]`]: totals(({ yearly }) => ({ price: yearly }), 8000),
    [`${ITEMS}[quantity]`]: totals(({ price }) => ({ price, quantity: 3 }), 2000),
    [`${ITEMS}[deleted]`]: async ({ world, prepare, send }) => {
      const call = await prepare();
      const { items } = await world.stripe.subscriptions.retrieve(String(call.params?.subscription));
      const replaced = [{ id: items.data[0]!.id, deleted: true }, { price: world.yearly }];
      expect(await send({ subscription_details: { items: replaced } }, call)).toMatchObject({ total: 8000 });
    },
    [`${ITEM_PRICE}[currency]`]: refused({ currency: 'xyz' }, 'subscription_details[items][0][price_data][currency]'),
    [`${ITEM_PRICE}[product]`]: refused({ product: 'prod_nothing' }, 'product'),
    [`${ITEM_PRICE}[unit_amount]`]: totals((world) => terms(world), 2000),
    [`${ITEM_PRICE}[recurring][interval]`]: async (probe) => {
      const { lines } = await previewItem(probe, terms(probe.world, { recurring: { interval: 'year' } }));
      const { start, end } = lines.data.at(-1)!.period;
      expect(end - start).toBe(365 * DAY);
    },
    [`${ITEM_PRICE}[recurring][interval_count]`]: async (probe) => {
      const quarterly = { interval: 'month', interval_count: 3 };
      const { lines } = await previewItem(probe, terms(probe.world, { recurring: quarterly }));
      const { start, end } = lines.data.at(-1)!.period;
      expect(Math.round((end - start) / DAY / 30)).toBe(3);
    },
    'subscription_details[proration_behavior]': async ({ world, prepare, send }) => {
      const totalOf = async (proration_behavior: string) => {
        const call = await prepare();
        const { items } = await world.stripe.subscriptions.retrieve(String(call.params?.subscription));
        const item = { id: items.data[0]!.id, ...terms(world) };
        return (await send({ subscription_details: { items: [item], proration_behavior } }, call)).total;
      };
      // with `none`, the preview shows only the next renewal at the new price
      expect([await totalOf('always_invoice'), await totalOf('none')]).toEqual([2000, 3000]);
    },
    'subscription_details[proration_date]': async (probe) => {
      const at = now(probe.world) + 14 * DAY;
      const sendAt: Probe['send'] = (more = {}, call) => {
        const details = { ...(more.subscription_details as Body), proration_date: at };
        return probe.send({ subscription_details: details }, call);
      };
      expect((await previewItem({ ...probe, send: sendAt }, terms(probe.world))).total).toBe(1000);
    },
    'subscription_details[billing_cycle_anchor]': upcoming(
      () => ({ subscription_details: { billing_cycle_anchor: 'now', proration_behavior: 'always_invoice' } }),
      0,
    ),
    'subscription_details[trial_end]': upcoming(
      (world) => ({ subscription_details: { trial_end: now(world) + 9 * DAY } }),
      1000,
    ),
    'subscription_details[cancel_at_period_end]': upcoming(
      () => ({ subscription_details: { cancel_at_period_end: true } }),
      null,
    ),
    'subscription_details[cancel_now]': upcoming(() => ({ subscription_details: { cancel_now: true } }), -1000),
    'subscription_details[cancel_at]': upcoming(
      (world) => ({ subscription_details: { cancel_at: now(world) + DAY } }),
      null,
    ),
  },
};

export const PREVIEW_EFFECTS: Record<string, RouteEffects> = { 'POST /v1/invoices/create_preview': preview };
