import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { authorize } from '../../policy/authorize';
import { syncShowSubscriptions } from '../../queue/jobs/billing';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { requireRoomForProduct } from '../plans/quotas';
import { becomingFree, hasSubscribers, invalidPrice } from './errors';
import type { KindName } from './kinds';
import { markProductChanged } from './mark-product-changed';
import type { ProductRow } from './queries';
import { FREE_PRICES, type PriceInput, type Prices, priceProblem, pricesAfter } from './rules';
import type { FreeConversion } from './schema';
import { countPaying } from './subscribers';

/**
 * The prices of a new product. Editors can only create free products. @throws common.role_not_allowed, the errors of
 * prices
 */
export function firstPrices(ctx: Ctx, { creatorId, kind }: { creatorId: number; kind: KindName }, change: Change) {
  const prices = newPrices(ctx, kind, change);
  if (prices.priceMinor !== null) authorize(ctx, 'product.price', { creatorId });
  return prices;
}

function newPrices(ctx: Pick<Ctx, 'locale'>, kind: KindName, change: Change): Prices {
  const { current, input } = change;
  const prices = pricesAfter(current, input);
  const problem = priceProblem(kind, input, { prices, locale: ctx.locale });
  if (problem) throw invalidPrice(problem);
  return prices;
}

type Change = { current: Prices; input: PriceInput };

/**
 * The prices after an update; undefined if the input has none. The row is locked (lockProduct), so a sale waits. Forms
 * also send unchanged prices, which every role may do. @throws common.role_not_allowed, the errors of prices
 */
export async function changedPrices(
  tx: TxCtx,
  current: ProductRow,
  input: PriceInput & SaleTerms,
): Promise<Prices | undefined> {
  const changesTerms = SALE_TERMS.some((name) => input[name] !== undefined && input[name] !== current[name]);
  if (changesTerms) authorize(tx, 'product.price', current);
  if (!mentionsPrices(input)) return undefined;
  const prices = newPrices(tx, current.kind, { current, input });
  const isChanged = PRICE_COLUMNS.some((column) => prices[column] !== current[column]);
  if (isChanged) authorize(tx, 'product.price', current);
  if (isChanged && current.freeConversion) throw becomingFree();
  const isPaid = prices.priceMinor !== null;
  if (!isPaid && current.priceMinor !== null) {
    await assertNoSubscribers(tx, current.id);
    await tx.jobs.enqueue(syncShowSubscriptions, { productId: current.id });
  }
  if (isPaid !== (current.priceMinor !== null))
    await requireRoomForProduct(tx, { creatorId: current.creatorId, isPaid });
  return prices;
}

/** @throws product.has_subscribers: a paid show becomes free only once it has no paying subscribers (spec §4) */
async function assertNoSubscribers(tx: TxCtx, productId: number): Promise<void> {
  const { subscriptions } = await countPaying(tx, productId);
  if (subscriptions > 0) throw hasSubscribers({ count: subscriptions });
}

/** Further terms of the sale. */
type SaleTerms = { paysWhatTheyWant?: boolean; trialDays?: number };
const SALE_TERMS = ['paysWhatTheyWant', 'trialDays'] as const;
const PRICE_COLUMNS = ['priceMinor', 'annualPriceMinor', 'currency'] as const;
const PRICE_FIELDS = ['planType', 'price', 'annualPrice', 'currency'] as const;
const mentionsPrices = (input: PriceInput) => PRICE_FIELDS.some((name) => input[name] !== undefined);

/**
 * The current row, locked until the end of the transaction. A grant refers to its product, so inserting one waits for
 * the lock, too. Null if it was deleted meanwhile.
 */
export async function lockProduct(tx: TxCtx, id: number): Promise<ProductRow | null> {
  const [row] = await tx.db.select().from(products).where(eq(products.id, id)).for('update');
  return row && row.retiredAt === null ? row : null;
}

/** The state of a paid product that is becoming free (access/free-conversion.ts). Its row is locked (lockProduct). */
export const waitForLastSubscription = (tx: TxCtx, product: ProductRow, how: FreeConversion): Promise<void> =>
  writeProduct(tx, product, { freeConversion: how, freeConversionAt: product.freeConversionAt ?? tx.now() });

export const keepPaid = (tx: TxCtx, product: ProductRow): Promise<void> => writeProduct(tx, product, NOT_WAITING);

export const makeFree = (tx: TxCtx, product: ProductRow): Promise<void> =>
  writeProduct(tx, product, { ...FREE_PRICES, ...NOT_WAITING });

const NOT_WAITING = { freeConversion: null, freeConversionAt: null } as const;

async function writeProduct(tx: TxCtx, { id, creatorId }: ProductRow, change: Partial<ProductRow>): Promise<void> {
  const set = { ...change, updatedAt: tx.now() };
  await tx.db.update(products).set(set).where(eq(products.id, id));
  await markProductChanged(tx, id);
  await markCreatorChanged(tx, creatorId);
}
