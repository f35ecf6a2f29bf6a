import { expect } from 'vitest';
import { onboardAccount } from '../../testing/onboard-account';
import type { TestSandbox } from '../../testing/open-test-sandbox';
import { payByForms } from '../../testing/pay-by-forms';

export type Params = Record<string, unknown>;
export type Body = Record<string, unknown>;
/** A call of a route that succeeds. */
export type Call = { path: string; params?: Params };
/** Objects that the calls use. */
export type World = TestSandbox & {
  customer: string;
  card: string;
  clock: TestSandbox['clock'];
  product: string;
  price: string;
  yearly: string;
  coupon: string;
  promotion: string;
  account: string;
};
/** One parameter of one route. */
export type Probe = {
  world: World;
  /** Its name on the wire: `items[0][price]`. */
  name: string;
  /** A valid call of the route, for an object of its own. */
  prepare(): Promise<Call>;
  /** Sends a valid call with further parameters. */
  send(more?: Params, prepared?: Call): Promise<Body>;
};
/** Checks the effect of a parameter, or that it is rejected by name. */
export type Effect = (probe: Probe) => Promise<void>;
export type RouteEffects = { base(world: World): Promise<Call> | Call; effects: Record<string, Effect> };

export async function makeWorld(test: TestSandbox): Promise<World> {
  const { stripe } = test;
  const { id: customer } = await stripe.customers.create({ email: 'a@example.com' });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const terms = { currency: 'eur', product };
  const { id: price } = await stripe.prices.create({ ...terms, unit_amount: 1000, recurring: { interval: 'month' } });
  const { id: yearly } = await stripe.prices.create({ ...terms, unit_amount: 9000, recurring: { interval: 'year' } });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  const promotion = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'DIEZ' });
  const account = await onboardAccount(test);
  const world = { ...test, customer, card, product, price, yearly, coupon, promotion: promotion.id, account };
  await fillLists(world);
  return world;
}

/** Gives each filter something to find and something to leave out. */
async function fillLists(world: World): Promise<void> {
  const { stripe, yearly, product } = world;
  await paidIntent(world, { amount: 5_000_000 });
  await sharedIntent(world);
  await sharedIntent(world);
  await paidIntent(world, { currency: 'usd' });
  const payout = await stripe.payouts.create({ amount: 100, currency: 'eur' });
  await stripe.payouts.cancel(payout.id);
  await newSubscription(world, { items: [{ price: yearly }] });
  const { id } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 100 });
  await stripe.prices.update(id, { active: false });
}

/** Calls any route with the SDK. */
export async function callRoute({ stripe }: World, method: string, { path, params = {} }: Call): Promise<Body> {
  if (method === 'POST') return stripe.rawRequest(method, path, params);
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return stripe.rawRequest(method, `${path}?${query}`);
}

/** `transfer_data[amount]` as a path into an object. */
const pathOf = (name: string) => name.replace(/\[(\w+)\]/g, '.$1');

type Shown = { at?: string; as?: unknown; with?: Params };

/** The result shows the value: at the parameter's own place, unless `at` names another one. */
export const shows =
  (value: unknown, { at, as = value, with: more = {} }: Shown = {}): Effect =>
  async ({ name, send }) =>
    expect(await send({ ...more, [name]: value })).toHaveProperty(at ?? pathOf(name), as);

/** The value is rejected with the parameter's name. */
export const refuses =
  (value: unknown, more: Params = {}): Effect =>
  async ({ name, send }) =>
    expect(send({ ...more, [name]: value })).rejects.toMatchObject({ param: name, statusCode: 400 });

/** Several effects, one after the other. */
export const all =
  (...effects: Effect[]): Effect =>
  async (probe) => {
    for (const effect of effects) await effect(probe);
  };

export const METADATA = shows({ order: '17' });
export const EXAMPLE = 'https://a.example/x';
export const DAY = 86_400;
export const now = ({ clock }: World): number => Math.floor(clock.now.getTime() / 1000);

type Listed = { data: Body[] };
export const valueAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Body | null | undefined)?.[step], object);

/** The filter keeps the objects with a value, and leaves out at least one other. */
export const narrows =
  (at?: string, given?: unknown): Effect =>
  async ({ name, send }) => {
    const path = at ?? pathOf(name);
    const { data: before } = (await send({ limit: 100 })) as Listed;
    const value = given ?? before.map((object) => valueAt(object, path)).find((found) => found !== null);

    const { data } = (await send({ limit: 100, [name]: value })) as Listed;

    expect(data.length).toBeGreaterThan(0);
    expect(data.length).toBeLessThan(before.length);
    for (const object of data) expect(valueAt(object, path)).toEqual(value);
  };

/** The filters of plain lists, by the resource's path. */
export const listEffects = (filters: Record<string, Record<string, Effect>>): Record<string, RouteEffects> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, effects]) => [
      `GET /v1/${name}`,
      { base: () => ({ path: `/v1/${name}` }), effects },
    ]),
  );

export async function newSubscription(world: World, more: Params = {}): Promise<{ id: string; customer: string }> {
  const { stripe, price } = world;
  const { id: customer } = await stripe.customers.create({ email: 'b@example.com' });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const items = [{ price }];
  const { id } = await stripe.subscriptions.create({ customer, items, default_payment_method: card, ...more });
  return { id, customer };
}

/** A payment that is captured. */
export async function paidIntent({ stripe, sandbox }: World, more: Params = {}) {
  const terms = { amount: 5000, currency: 'eur', payment_method: 'pm_card_bypassPending', confirm: true };
  const intent = await stripe.paymentIntents.create({ ...terms, ...more });
  await sandbox.capture();
  return { intent: intent.id, charge: String(intent.latest_charge) };
}

/** A payment of 50.00 that goes to the account, less 5.00. */
export const sharedIntent = (world: World) =>
  paidIntent(world, { application_fee_amount: 500, transfer_data: { destination: world.account } });

export async function payPage({ fetch, stripe }: World, { id, url }: Body, more: { code?: string } = {}) {
  await payByForms(fetch, String(url), { number: '4242424242424242', email: 'c@example.com', ...more });
  return stripe.checkout.sessions.retrieve(String(id), { expand: ['payment_intent', 'subscription', 'setup_intent'] });
}
