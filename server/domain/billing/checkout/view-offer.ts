import { and, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { type BillingInterval, type CheckoutTerms, checkouts } from '~/db/schema/checkouts';
import type { AppError } from '../../../base/errors';
import { type Currency, formatMoney } from '../../../base/money';
import { isInTeam } from '../../../policy/abilities';
import { isProductPublic } from '../../../policy/visibility';
import type { Ctx } from '../../../runtime/ctx';
import { cardsOf } from '../../accounts/base/queries';
import { hasToldName, isMinor } from '../../accounts/base/rules';
import { findUsableCoupon, type UsableCoupon } from '../../coupons/usable-coupon';
import { type PageBrand, pageBrandOf } from '../../creators/rules';
import { type CoverUrls, coverUrls } from '../../media/rules';
import { sellsNow } from '../../plans/features';
import { productNotFound } from '../../products/errors';
import { KINDS, type KindName } from '../../products/kinds';
import { findProductRecord, type ProductRecord, type ProductRow } from '../../products/queries';
import { alreadyBought, alreadySubscribed, amountOutOfBounds, cardNeeded, notForSale, ownShow } from '../base/errors';
import { hasPurchased, hasSubscribed, subscribesTo } from '../base/queries';
import { type Charges, chargesOf, highestPrice, type Price, pricesOnSale, type SaleInterval } from '../base/rules';
import type { FindOffer } from '../base/schema';

/** What a visitor is about to buy, and its cost. */
export type Offer = {
  record: ProductRecord;
  interval: SaleInterval;
  prices: Price[];
  /** The show's price, and the amount before the coupon, which is higher if the buyer chooses to pay more. */
  priceMinor: number;
  amountMinor: number;
  coupon: UsableCoupon | null;
  trialDays: number;
};

/**
 * Null for free shows and other shows that are not for sale.
 * @throws product.not_found, billing.amount_bounds, coupon.invalid
 */
export async function lookupOfferFor(ctx: Ctx, input: FindOffer, browser: string | null): Promise<Offer | null> {
  const record = await findProductRecord(ctx, input.product);
  const { product } = record;
  if (!isProductPublic(product)) throw productNotFound();
  const prices = pricesOnSale(product);
  const price = prices.find(({ interval }) => interval === input.interval) ?? prices[0];
  if (!price || !(await sellsNow(ctx, product.creatorId))) return null;
  const { interval, minor: priceMinor } = price;
  const amountMinor = chosenAmount(ctx, product, { price, amount: input.amount });
  const every = everyOf(interval);
  const request = { code: input.coupon ?? '', productId: product.id, every, priceMinor: amountMinor };
  const coupon = input.coupon ? await findUsableCoupon(ctx, { ...request, browserHash: browser ?? undefined }) : null;
  const trialDays = every === null ? 0 : await trialDaysFor(ctx, product);
  return { record, interval, prices, priceMinor, amountMinor, coupon, trialDays };
}

export const everyOf = (interval: SaleInterval): BillingInterval | null => (interval === 'once' ? null : interval);

type Choice = { price: Price; amount: number | undefined };

/** @throws billing.amount_bounds */
function chosenAmount(ctx: Ctx, { paysWhatTheyWant, currency }: ProductRow, { price, amount }: Choice): number {
  if (!paysWhatTheyWant || amount === undefined) return price.minor;
  const highest = highestPrice(price.interval);
  const text = (minor: number) => formatMoney({ minor, currency }, ctx.locale);
  if (amount < price.minor || amount > highest) throw amountOutOfBounds({ min: text(price.minor), max: text(highest) });
  return amount;
}

/**
 * Only people who have never subscribed to the show get a trial. All guests see the trial: if it were hidden for
 * addresses with an account, it would reveal them (settle-checkout.ts).
 */
async function trialDaysFor(ctx: Ctx, { id, trialDays }: ProductRow): Promise<number> {
  if (trialDays === 0 || ctx.actor.type !== 'user') return trialDays;
  return (await hasSubscribed(ctx, { userId: ctx.actor.userId, productId: id })) ? 0 : trialDays;
}

/** Why the current user can't buy the show; null if they can. */
export async function reasonNotToBuy(ctx: Ctx, offer: Offer | null, product: ProductRow): Promise<AppError | null> {
  const { actor } = ctx;
  if (isInTeam(actor, 'product.manage', product)) return ownShow();
  if (actor.type === 'user') {
    const item = { userId: actor.userId, productId: product.id };
    const isOwned = (await subscribesTo(ctx, item)) || (await hasPurchased(ctx, item));
    if (isOwned) return KINDS[product.kind].sale === 'purchase' ? alreadyBought() : alreadySubscribed();
  }
  if (offer === null) return notForSale();
  return actor.type === 'user' && (await hasExpiredCard(ctx, actor.userId)) ? cardNeeded() : null;
}

/** Checks the default card, because it would be charged. */
async function hasExpiredCard(ctx: Ctx, userId: number): Promise<boolean> {
  const [card] = await cardsOf(ctx, userId);
  return card?.isDefault === true && card.expiresAt <= ctx.now();
}

export type OfferView = {
  product: Pick<ProductRow, 'id' | 'name' | 'slug' | 'language'> & { kind: KindName; cover: CoverUrls };
  creator: { name: string; domain: string; brand: PageBrand | null };
  /** Why the show can't be bought, as the code of an error. */
  refusal: string | null;
  /** Null if the show is not for sale. */
  sale: Sale | null;
  /** `name`: empty unless the buyer has told it. */
  buyer: { email: string | null; name: string; isAdult: boolean };
  /** Earlier input of this browser, kept after its payment page was left. */
  kept: { email: string; name: string } | null;
};
export type Sale = Pick<Offer, 'interval' | 'prices' | 'priceMinor' | 'amountMinor' | 'trialDays'> & {
  currency: Currency;
  /** The highest amount, where buyers choose the price. */
  highestMinor: number | null;
  reducedMinor: number;
  coupon: Pick<UsableCoupon, 'code' | 'duration' | 'months'> | null;
  charges: Charges;
};

/** The page before the payment page. @throws product.not_found, billing.amount_bounds, coupon.invalid */
export async function viewOffer(ctx: Ctx, input: FindOffer, browser: string | null): Promise<OfferView> {
  const offer = await lookupOfferFor(ctx, input, browser);
  const { product, creator } = offer?.record ?? (await findProductRecord(ctx, input.product));
  const { id, name, slug, language, kind, coverKey } = product;
  const refusal = await reasonNotToBuy(ctx, offer, product);
  return {
    product: { id, name, slug, language, kind, cover: coverUrls(coverKey) },
    creator: viewSeller(creator),
    refusal: refusal?.code ?? null,
    sale: offer && toSale(ctx, offer),
    buyer: await viewBuyer(ctx),
    kept: browser === null || ctx.actor.type === 'user' ? null : await lookupKept(ctx, id, browser),
  };
}

/** The creator, on the pages that sell their shows. */
export const viewSeller = (creator: ProductRecord['creator']): OfferView['creator'] => ({
  name: creator.name,
  domain: creator.domain,
  brand: pageBrandOf(creator),
});

function toSale(ctx: Ctx, offer: Offer): Sale {
  const { record, interval, prices, priceMinor, amountMinor, coupon, trialDays } = offer;
  const { currency, paysWhatTheyWant } = record.product;
  const reducedMinor = coupon?.totalMinor ?? amountMinor;
  return {
    ...{ interval, prices, priceMinor, amountMinor, trialDays, currency, reducedMinor },
    highestMinor: paysWhatTheyWant ? highestPrice(interval) : null,
    coupon: coupon && { code: coupon.code, duration: coupon.duration, months: coupon.months },
    charges: chargesOf({ interval, amountMinor, reducedMinor, coupon, trialDays }, ctx.now()),
  };
}

export async function viewBuyer(ctx: Ctx): Promise<OfferView['buyer']> {
  if (ctx.actor.type !== 'user') return { email: null, name: '', isAdult: false };
  const [user] = await ctx.db.select().from(users).where(eq(users.id, ctx.actor.userId));
  const { email = null, birthDate = null, parentalPermissionAt = null } = user ?? {};
  const isAdult = birthDate !== null && (!isMinor(birthDate, ctx.now()) || parentalPermissionAt !== null);
  return { email, name: user && hasToldName(user) ? user.name : '', isAdult };
}

async function lookupKept(ctx: Ctx, productId: number, browserHash: string): Promise<OfferView['kept']> {
  const isOpen = and(eq(checkouts.productId, productId), eq(checkouts.browserHash, browserHash));
  const [row] = await ctx.db
    .select({ email: checkouts.email, terms: checkouts.terms })
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.status, 'open'), eq(checkouts.purpose, 'show')))
    .limit(1);
  return row?.email ? { email: row.email, name: row.terms.buyerName ?? '' } : null;
}

type Choices = { buyerName: string; savesCard?: boolean };

/** The terms of the sale, as the checkout stores them. */
export function termsOf({ record, interval, amountMinor, trialDays }: Offer, { buyerName, savesCard }: Choices) {
  const { name, currency } = record.product;
  const every = everyOf(interval);
  const terms: CheckoutTerms = { name, priceMinor: amountMinor, currency, every };
  if (buyerName) terms.buyerName = buyerName;
  if (savesCard && every === null) terms.savesCard = true;
  if (trialDays > 0) terms.trialDays = trialDays;
  return terms;
}
