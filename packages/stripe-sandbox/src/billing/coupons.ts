import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest } from '../wire/faults';
import { randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import {
  currency,
  decimal,
  type Input,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  text,
  timestamp,
} from '../wire/shapes';

const FIELDS = {
  id: text(200),
  name: text(40),
  percent_off: decimal(0.01, 100),
  amount_off: integer(1, 99_999_999),
  currency: currency(),
  duration: oneOf('once', 'repeating', 'forever'),
  duration_in_months: integer(1, 120),
  max_redemptions: integer(1),
  redeem_by: timestamp(),
  metadata: metadata(),
};

/** Whether a coupon can be redeemed now. Stripe computes `valid` on every read; we store it and refresh it. */
export const isRedeemable = (coupon: Stripe.Coupon, now: number): boolean =>
  (coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions) &&
  (coupon.redeem_by === null || coupon.redeem_by > now);

export async function findRedeemableCoupon(
  work: Work,
  id: string,
  wanted: string | null,
  param: string,
): Promise<Stripe.Coupon> {
  const coupon = await work.find('coupon', id, param);
  if (!isRedeemable(coupon, work.now()))
    throw invalidRequest(`Coupon expired: ${id}`, { code: 'coupon_expired', param });
  if (coupon.amount_off !== null && wanted !== null && coupon.currency !== wanted)
    throw invalidRequest(`The coupon ${id} is in ${coupon.currency}, not ${wanted}.`, { param });
  return coupon;
}

export function countRedemption(work: Work, coupon: Stripe.Coupon): void {
  coupon.times_redeemed += 1;
  coupon.valid = isRedeemable(coupon, work.now());
}

function assertConsistent(work: Work, input: Input<typeof FIELDS>): void {
  const { percent_off, amount_off, duration = 'once', duration_in_months, redeem_by } = input;
  if ((percent_off === undefined) === (amount_off === undefined))
    throw invalidRequest('You must pass either `percent_off` or `amount_off`, and not both.');
  if (amount_off !== undefined && !input.currency)
    throw invalidRequest('You must pass currency when passing amount_off', { param: 'currency' });
  if ((duration === 'repeating') !== (duration_in_months !== undefined))
    throw invalidRequest('`duration_in_months` is required with a duration of `repeating`, and allowed only then.', {
      param: 'duration_in_months',
    });
  if (redeem_by !== undefined && redeem_by <= work.now())
    throw invalidRequest('`redeem_by` must be in the future.', { param: 'redeem_by' });
}

async function create(work: Work, input: Input<typeof FIELDS>): Promise<Stripe.Coupon> {
  assertConsistent(work, input);
  const id = input.id ?? randomText(8);
  if (await work.get('coupon', id))
    throw invalidRequest('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
  const coupon: Stripe.Coupon = {
    ...NULL_FIELDS.coupon,
    id,
    object: 'coupon',
    amount_off: input.amount_off ?? null,
    created: work.now(),
    currency: input.currency ?? null,
    duration: input.duration ?? 'once',
    duration_in_months: input.duration_in_months ?? null,
    livemode: false,
    max_redemptions: input.max_redemptions ?? null,
    metadata: mergeMetadata({}, input.metadata),
    name: input.name ?? null,
    percent_off: input.percent_off ?? null,
    redeem_by: input.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  };
  return work.add(coupon, {}, 'coupon.created');
}

export const couponRoutes: Route[] = [
  route('POST', '/v1/coupons', FIELDS, create),
  {
    ...retrieveRoute('/v1/coupons', 'coupon'),
    async run(work, _, { id = '' }) {
      const coupon = await work.find('coupon', id, 'coupon');
      return { ...coupon, valid: isRedeemable(coupon, work.now()) };
    },
  },
  route('POST', '/v1/coupons/:id', { name: text(40), metadata: metadata() }, async (work, input, { id = '' }) => {
    const coupon = await work.find('coupon', id, 'coupon');
    if (input.name !== undefined) coupon.name = input.name;
    coupon.metadata = mergeMetadata(coupon.metadata, input.metadata);
    return coupon;
  }),
  route('DELETE', '/v1/coupons/:id', {}, async (work, _, { id = '' }) => {
    const coupon = await work.find('coupon', id, 'coupon');
    work.emit('coupon.deleted', coupon);
    await work.remove(coupon);
    return { id, object: 'coupon', deleted: true };
  }),
  listRoute('/v1/coupons', 'coupon', { filters: {} }),
];
