import { and, eq, sql } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import { DAYS, earlier } from '../base/time';
import { listMyGifts } from '../domain/billing/base/gift-links';
import { giftsOnSale, giftTermsShown } from '../domain/billing/base/rules';
import * as schema from '../domain/billing/base/schema';
import { buyGift } from '../domain/billing/gifts/buy-gift';
import { redeemGift } from '../domain/billing/gifts/redeem-gift';
import { lookupProductBySlug } from '../domain/products/queries';
import { requireCreator, requireUser } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { payOnce } from './checking-out';
import type { DemoPerson } from './demo-types';
import type { DemoPayments } from './paying';

const SELLER = 'lucia@altavoz.example';
const GIVER = 'tom@altavoz.example';
const SLUG = 'noches-de-taller';

/** A redeemed gift, and one whose link is unused. The earlier one comes first. */
const GIFTS = [
  {
    months: 12,
    recipientName: 'Noa',
    message: 'Para tus noches de montaje. ¡Feliz cumpleaños! 🎂',
    daysAgo: 60,
    redeemedBy: 'noa@altavoz.example',
  },
  { months: 3, recipientName: 'Marta', message: 'Thank you for the loan of the microphone.', daysAgo: 9 },
];

/**
 * Gives and redeems as on the pages, with both clocks set to the day. Without simulated payments there is nothing to
 * show.
 */
export async function seedGifts(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  payments: DemoPayments | null,
): Promise<void> {
  const [seller, giver] = [SELLER, GIVER].map((email) => cast.find((person) => person.email === email));
  if (!payments || !seller || !giver) return;
  const { creatorId } = requireCreator(await actAs(runtime, seller));
  const ctx = await actAs(runtime, giver);
  const found = await lookupProductBySlug(ctx, creatorId, SLUG);
  if (!found) return;
  const { product } = found;
  const shown = giftTermsShown(giftsOnSale(product), product.currency);
  try {
    for (const { daysAgo, redeemedBy, ...gift } of GIFTS) {
      const at = earlier(runtime.now(), DAYS(daysAgo));
      await payments.setTime(at);
      const then = { ...ctx, now: () => at };
      const input = schema.buyGift.parse({ product: product.id, shown, adult: 'on', ...gift });
      const receiver = cast.find(({ email }) => email === redeemedBy);
      await buyDemoGift(then, input, payments);
      if (receiver) await redeemDemoGift(await actAs(runtime, receiver, at), then);
    }
  } finally {
    await payments.setTime(null);
  }
}

/** An earlier start may have bought the gift. */
async function buyDemoGift(ctx: Ctx, input: schema.BuyGift, { pay }: DemoPayments): Promise<void> {
  const { userId } = requireUser(ctx);
  const { userId: giver, purpose, terms } = checkouts;
  const isIts = sql`${terms}->'gift'->>'message' = ${input.message}`;
  const isIt = and(eq(giver, userId), eq(purpose, 'gift'), isIts);
  await payOnce(ctx, { isIt, open: () => buyGift(ctx, input, 'demo'), pay });
}

/** Redeems the giver's last gift, unless an earlier start has redeemed it. */
async function redeemDemoGift(ctx: Ctx, giver: Ctx): Promise<void> {
  const [gift] = await listMyGifts(giver);
  const token = gift?.url && new URL(gift.url).searchParams.get('token');
  if (token) await redeemGift(ctx, { token });
}
