import { and, desc, eq } from 'drizzle-orm';
import { type CheckoutTerms, checkouts } from '~/db/schema/checkouts';
import type { AppError } from '../../../base/errors';
import { type Currency, formatMoney } from '../../../base/money';
import { BUY_GIFT_PATH } from '../../../base/public-paths';
import { isInTeam } from '../../../policy/abilities';
import { isProductPublic } from '../../../policy/visibility';
import type { Ctx } from '../../../runtime/ctx';
import { coverUrls } from '../../media/rules';
import { sellsNow } from '../../plans/features';
import { productNotFound } from '../../products/errors';
import { findProductRecord, type ProductRecord } from '../../products/queries';
import { giftOfOwnShow, notForSale, priceChanged } from '../base/errors';
import { type GiftPrice, giftsOnSale, giftTermsShown } from '../base/rules';
import type { BuyGift, FindGiftOffer } from '../base/schema';
import { buyerOf, thanksPage } from '../checkout/buy-show';
import { openCheckout } from '../checkout/checkouts';
import { type OfferView, viewBuyer, viewSeller } from '../checkout/view-offer';

/** Earlier input of this buyer, kept after the payment page was left. */
type KeptGift = { email: string | null } & Omit<NonNullable<CheckoutTerms['gift']>, 'title'>;
export type GiftOffer = Pick<OfferView, 'product' | 'creator' | 'refusal' | 'buyer'> & {
  prices: GiftPrice[];
  currency: Currency;
  kept: KeptGift | null;
};

/** The page for buying a show as a gift. @throws product.not_found */
export async function viewGiftOffer(ctx: Ctx, input: FindGiftOffer, browser: string | null): Promise<GiftOffer> {
  const record = await findGivable(ctx, input.product);
  const { product, creator } = record;
  const prices = await pricesOf(ctx, record);
  const { id, name, slug, language, kind, coverKey, currency } = product;
  return {
    product: { id, name, slug, language, kind, cover: coverUrls(coverKey) },
    creator: viewSeller(creator),
    refusal: reasonNotToGive(ctx, record, prices)?.code ?? null,
    buyer: await viewBuyer(ctx),
    prices,
    currency,
    kept: await lookupKept(ctx, id, browser),
  };
}

/**
 * Opens the payment page of a gift: months of a podcast or an audio series, paid once. The link exists once the gift is
 * paid (gift-links.ts). The same buyer and terms get the same page again.
 * @param browserHash of a buyer without an account
 * @throws product.not_found, gift.own_show, billing.not_for_sale, billing.price_changed, account.*, field.*, the errors
 * of the payments port
 */
export async function buyGift(ctx: Ctx, input: BuyGift, browserHash: string): Promise<{ url: string }> {
  const record = await findGivable(ctx, input.product);
  const prices = await pricesOf(ctx, record);
  const refusal = reasonNotToGive(ctx, record, prices);
  if (refusal) throw refusal;
  const { product } = record;
  const price = prices.find(({ months }) => months === (input.months ?? null)) ?? prices[0]!;
  const isChosen = price.months === null || price.months === input.months;
  if (!isChosen || input.shown !== giftTermsShown(prices, product.currency))
    throw priceChanged({ price: formatMoney({ minor: price.minor, currency: product.currency }, ctx.locale) });
  const { url } = await openCheckout(ctx, {
    purpose: 'gift',
    buyer: await buyerOf(ctx, input, browserHash),
    productId: product.id,
    creatorId: product.creatorId,
    terms: await termsOf(ctx, record, { price, input }),
    paths: { success: thanksPage(ctx), cancel: pageOf(ctx, input) },
  });
  return { url };
}

/** @throws product.not_found, also if the show is deleted or archived */
async function findGivable(ctx: Ctx, id: number): Promise<ProductRecord> {
  const record = await findProductRecord(ctx, id);
  if (!isProductPublic(record.product)) throw productNotFound();
  return record;
}

const pricesOf = async (ctx: Ctx, { product }: ProductRecord): Promise<GiftPrice[]> =>
  (await sellsNow(ctx, product.creatorId)) ? giftsOnSale(product) : [];

/** Subscribers can give, too. */
function reasonNotToGive({ actor }: Ctx, { product }: ProductRecord, prices: GiftPrice[]): AppError | null {
  if (isInTeam(actor, 'product.manage', product)) return giftOfOwnShow();
  return prices.length === 0 ? notForSale() : null;
}

async function termsOf(ctx: Ctx, { product }: ProductRecord, { price, input }: { price: GiftPrice; input: BuyGift }) {
  const { name, currency } = product;
  const { months, minor } = price;
  const { recipientName, recipientEmail = null, message, saveCard } = input;
  const title = ctx.translate(months === null ? 'mail:gift.title.once' : 'mail:gift.title.months', {
    show: name,
    count: months ?? 1,
  });
  const giverName = input.giverName ?? (await viewBuyer(ctx)).name;
  const gift = { title, recipientName, recipientEmail, message, giverName };
  const choices = { ...(months !== null && { giftMonths: months }), ...(saveCard && { savesCard: true as const }) };
  return { name, priceMinor: minor, currency, every: null, ...choices, gift };
}

function pageOf(ctx: Ctx, { product, months }: BuyGift): string {
  const query = new URLSearchParams({ product: String(product), ...(months && { months: String(months) }) });
  return ctx.urls.app(`/${ctx.language}${BUY_GIFT_PATH}?${query}`);
}

async function lookupKept({ db, actor }: Ctx, productId: number, browser: string | null): Promise<KeptGift | null> {
  if (actor.type !== 'user' && browser === null) return null;
  const isOwn = actor.type === 'user' ? eq(checkouts.userId, actor.userId) : eq(checkouts.browserHash, browser ?? '');
  const isOpen = and(eq(checkouts.productId, productId), eq(checkouts.status, 'open'), eq(checkouts.purpose, 'gift'));
  const [row] = await db
    .select({ email: checkouts.email, terms: checkouts.terms })
    .from(checkouts)
    .where(and(isOwn, isOpen))
    .orderBy(desc(checkouts.createdAt))
    .limit(1);
  if (!row?.terms.gift) return null;
  const { title, ...kept } = row.terms.gift;
  return { email: row.email, ...kept };
}
