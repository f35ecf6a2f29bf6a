import { formatMoney, toDecimal } from '../../../base/money';
import { REGISTER_PAYMENT_PATH, THANKS_PATH } from '../../../base/public-paths';
import { type Ctx, transact } from '../../../runtime/ctx';
import { confirmAdult } from '../../accounts/settings/ages';
import { orderedCoupon } from '../../coupons/usable-coupon';
import { findProductRecord } from '../../products/queries';
import { priceChanged } from '../base/errors';
import { termsShown } from '../base/rules';
import { type BuyShow, guest } from '../base/schema';
import { type Buyer, openCheckout } from './checkouts';
import { lookupOfferFor, type Offer, reasonNotToBuy, termsOf } from './view-offer';

/**
 * Opens the payment page of a show, or returns the open page for the same purchase: from another tab, or after a double
 * click. Buyers without an account enter an email address; neither the answer nor its timing depends on whether the
 * address has an account.
 * @param browserHash of a buyer without an account
 * @throws billing.*, coupon.invalid, account.*, field.email_required, product.not_found, the errors of the payments
 * port
 */
export async function buyShow(ctx: Ctx, input: BuyShow, browserHash: string): Promise<{ url: string }> {
  const offer = await lookupOfferFor(ctx, input, browserHash);
  const { product } = offer?.record ?? (await findProductRecord(ctx, input.product));
  const refusal = await reasonNotToBuy(ctx, offer, product);
  if (refusal || !offer) throw refusal;
  assertShown(ctx, offer, input);
  const buyer = await buyerOf(ctx, input, browserHash);
  const { coupon } = offer;
  const { url } = await openCheckout(ctx, {
    purpose: 'show',
    buyer,
    productId: product.id,
    creatorId: product.creatorId,
    coupon: coupon ? orderedCoupon(ctx, coupon) : undefined,
    terms: termsOf(offer, {
      buyerName: ctx.actor.type === 'user' ? '' : (input.name ?? ''),
      savesCard: input.saveCard,
    }),
    paths: { success: thanksPage(ctx), cancel: pageOf(ctx, offer) },
  });
  return { url };
}

/** @throws billing.price_changed */
function assertShown(ctx: Ctx, offer: Offer, { shown, ...input }: BuyShow): void {
  const { record, interval, prices, priceMinor, trialDays } = offer;
  const { currency } = record.product;
  const isSame = shown === termsShown({ prices, currency, trialDays });
  if (isSame && (input.interval ?? interval) === interval) return;
  throw priceChanged({ price: formatMoney({ minor: priceMinor, currency }, ctx.locale) });
}

type Payer = Pick<BuyShow, 'adult' | 'email' | 'terms'>;

/** @throws account.adult_or_permission_required, account.too_young; for guests also several errors by field */
export async function buyerOf(ctx: Ctx, input: Payer, browserHash: string): Promise<Buyer> {
  const { actor } = ctx;
  if (actor.type === 'user') {
    await transact(ctx, (tx) => confirmAdult(tx, actor.userId, { isConfirmed: input.adult }));
    return { userId: actor.userId };
  }
  const { email } = guest.parse(input);
  return { email, browserHash };
}

/** The query tells the browser to report the purchase if the visitor allows it (docs/decisions/0135). */
export const thanksPage = ({ urls, language }: Ctx): string =>
  urls.app(`/${language}${THANKS_PATH}?subscription_status=finished`);

/** The page of the purchase. The payment page returns to it with all choices kept. */
function pageOf(ctx: Ctx, { record, interval, amountMinor, priceMinor, coupon }: Offer): string {
  const query = new URLSearchParams({ product: String(record.product.id), interval });
  if (amountMinor !== priceMinor) query.set('amount', toDecimal(amountMinor));
  if (coupon) query.set('coupon', coupon.code);
  return ctx.urls.app(`/${ctx.language}${REGISTER_PAYMENT_PATH}?${query}`);
}
