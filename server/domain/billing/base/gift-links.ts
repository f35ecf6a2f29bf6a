import { randomBytes } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { gifts } from '~/db/schema/gifts';
import type { Language } from '~/locales/languages';
import { hashToken } from '../../../auth/token-hash';
import { GIFT_PATH, languagePrefix } from '../../../base/public-paths';
import { later } from '../../../base/time';
import { GIFT_LIMITS } from '../../../limits/billing';
import { requireUser } from '../../../policy/actor';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { type PageBrand, pageBrandOf } from '../../creators/rules';
import { listProductsByIds } from '../../products/queries';
import { toProductView } from '../../products/views';
import type { CheckoutRow } from './queries';
import { type ShowView, toShowView } from './views';

/**
 * The links of gifts (docs/decisions/0192). A gift is found by the hash of its token; the encrypted token lets the
 * giver see the link again.
 */
export type GiftRow = typeof gifts.$inferSelect;
const TOKEN_BYTES = 32;

/** `url`: set while the gift can be redeemed. */
export type GivenGift = Pick<
  GiftRow,
  | 'id'
  | 'months'
  | 'recipientName'
  | 'recipientEmail'
  | 'giverName'
  | 'message'
  | 'expiresAt'
  | 'redeemedAt'
  | 'createdAt'
> & {
  state: 'open' | 'redeemed' | 'expired' | 'refunded';
  show: ShowView;
  brand: PageBrand | null;
  url: string | null;
};

/**
 * Creates the gift that a checkout has paid for, in the transaction of its settlement. Repeating it changes nothing.
 */
export async function createGift(tx: TxCtx, { id: checkoutId, userId, productId, terms }: CheckoutRow): Promise<void> {
  if (userId === null || productId === null) throw new Error(`gift ${checkoutId} has no giver or no show`);
  const { recipientName = '', recipientEmail = null, message = '', giverName = null } = terms.gift ?? {};
  const now = tx.now();
  await tx.db
    .insert(gifts)
    .values({
      ...newGiftToken(tx, { checkoutId }),
      checkoutId,
      giverId: userId,
      productId,
      months: terms.giftMonths ?? null,
      ...{ recipientName, recipientEmail, message, giverName },
      expiresAt: later(now, GIFT_LIMITS.redeemable),
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: gifts.checkoutId });
}

/** Creates the token for a gift that has no link yet. */
export function newGiftToken({ vault }: Pick<Ctx, 'vault'>, gift: Pick<GiftRow, 'checkoutId'>) {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { tokenHash: hashToken(token), sealedToken: vault.seal(token, sealFor(gift)) };
}

const sealFor = ({ checkoutId }: Pick<GiftRow, 'checkoutId'>) => `gift ${checkoutId}`;

/** The link that redeems the gift. */
export function giftUrl(ctx: Pick<Ctx, 'vault' | 'urls'>, gift: GiftRow, language: Language): string {
  const token = ctx.vault.open(gift.sealedToken, sealFor(gift));
  return ctx.urls.app(`${languagePrefix(language)}${GIFT_PATH}?token=${token}`);
}

export function stateOfGift(
  { redeemedAt, cancelledAt, expiresAt }: Pick<GiftRow, 'redeemedAt' | 'cancelledAt' | 'expiresAt'>,
  now: Date,
): GivenGift['state'] {
  if (cancelledAt) return 'refunded';
  if (redeemedAt) return 'redeemed';
  return expiresAt <= now ? 'expired' : 'open';
}

/** The current user's gifts to others, the latest first. */
export async function listMyGifts(ctx: Ctx): Promise<GivenGift[]> {
  const { userId } = requireUser(ctx);
  const rows = await ctx.db
    .select()
    .from(gifts)
    .where(eq(gifts.giverId, userId))
    .orderBy(desc(gifts.id))
    .limit(GIFT_LIMITS.listed);
  return toViews(ctx, rows);
}

/** The gift that the current user has paid for with a checkout; null for other users' checkouts. */
export async function lookupMyGift(ctx: Ctx, { checkout }: { checkout: string }): Promise<GivenGift | null> {
  const { userId } = requireUser(ctx);
  const isIt = and(eq(gifts.checkoutId, checkout), eq(gifts.giverId, userId));
  const [view] = await toViews(ctx, await ctx.db.select().from(gifts).where(isIt));
  return view ?? null;
}

async function toViews(ctx: Ctx, rows: GiftRow[]): Promise<GivenGift[]> {
  const found = await listProductsByIds(ctx, [...new Set(rows.map(({ productId }) => productId))]);
  const records = new Map(found.map((record) => [record.product.id, record]));
  return rows.flatMap((row) => {
    const record = records.get(row.productId);
    if (!record) return [];
    const state = stateOfGift(row, ctx.now());
    const { id, months, recipientName, recipientEmail, giverName, message, expiresAt, redeemedAt, createdAt } = row;
    const facts = { id, months, recipientName, recipientEmail, giverName, message, expiresAt, redeemedAt, createdAt };
    const url = state === 'open' ? giftUrl(ctx, row, ctx.language) : null;
    const show = toShowView(toProductView(ctx, record));
    return [{ ...facts, state, show, brand: pageBrandOf(record.creator), url }];
  });
}
