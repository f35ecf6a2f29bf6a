import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { findCustomer } from '../money/customers';
import { invalidRequest } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { flag, group, integer, mergeMetadata, metadata, oneOf, required, text, timestamp } from '../wire/shapes';
import { isRedeemable } from './coupons';

/** Finds an active promotion code, ignoring case. */
export async function findActiveCode(work: Work, code: string): Promise<Stripe.PromotionCode | null> {
  const [found] = await work.list(
    'promotion_code',
    { fields: { code: code.toUpperCase(), active: 'true' } },
    { limit: 1 },
  );
  return found ?? null;
}

type Redemption = { param: string; customer?: string | null };

export async function findRedeemableCode(
  work: Work,
  id: string,
  { param, customer = null }: Redemption,
): Promise<Stripe.PromotionCode> {
  const code = await work.find('promotion_code', id, param);
  if (code.customer !== null && customer !== null && idOf(code.customer) !== customer)
    throw invalidRequest('This promotion code belongs to another customer.', { param });
  const isOver =
    !code.active ||
    (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions) ||
    (code.expires_at !== null && code.expires_at <= work.now());
  if (isOver)
    throw invalidRequest('This promotion code cannot be redeemed because it has been deactivated or used up.', {
      code: 'coupon_expired',
      param,
    });
  return code;
}

export const promotionCodeRoutes: Route[] = [
  route(
    'POST',
    '/v1/promotion_codes',
    {
      promotion: required(group({ type: required(oneOf('coupon')), coupon: required(text()) })),
      code: text(500),
      active: flag(),
      customer: text(),
      max_redemptions: integer(1),
      expires_at: timestamp(),
      metadata: metadata(),
    },
    async (work, input) => {
      const coupon = await work.find('coupon', input.promotion.coupon, 'promotion[coupon]');
      if (!isRedeemable(coupon, work.now()))
        throw invalidRequest('The coupon is no longer valid.', { param: 'promotion[coupon]' });
      if (input.customer) await findCustomer(work, input.customer);
      const code = (input.code ?? randomText(8)).toUpperCase();
      if (!/^[A-Z0-9-]+$/.test(code))
        throw invalidRequest('Codes may only contain a-z, A-Z, 0-9 and -.', { param: 'code' });
      if (await findActiveCode(work, code))
        throw invalidRequest(`An active promotion code with \`code: ${code}\` already exists.`, {
          code: 'resource_already_exists',
          param: 'code',
        });
      const promotion: Stripe.PromotionCode = {
        ...NULL_FIELDS.promotionCode,
        id: newId('promo'),
        object: 'promotion_code',
        active: input.active ?? true,
        code,
        created: work.now(),
        customer: input.customer ?? null,
        expires_at: input.expires_at ?? null,
        livemode: false,
        max_redemptions: input.max_redemptions ?? null,
        metadata: mergeMetadata({}, input.metadata),
        promotion: { type: 'coupon', coupon: coupon.id },
        restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
        times_redeemed: 0,
      };
      return work.add(promotion, {}, 'promotion_code.created');
    },
  ),
  retrieveRoute('/v1/promotion_codes', 'promotion_code'),
  route(
    'POST',
    '/v1/promotion_codes/:id',
    { active: flag(), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const code = await work.find('promotion_code', id);
      if (input.active !== undefined) code.active = input.active;
      code.metadata = mergeMetadata(code.metadata, input.metadata);
      return code;
    },
  ),
  listRoute('/v1/promotion_codes', 'promotion_code', {
    filters: { code: text(), coupon: text(), active: flag() },
    criteria: ({ code, coupon, active }) => ({
      fields: {
        ...(code && { code: code.toUpperCase() }),
        ...(coupon && { 'promotion.coupon': coupon }),
        ...(active !== undefined && { active: String(active) }),
      },
    }),
  }),
];

export const couponIdOf = (code: Stripe.PromotionCode): string => idOf(code.promotion.coupon) ?? '';
