import fs from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { sales, subscriptions } from '~/db/schema/billing';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, HOURS, later } from '~/server/base/time';
import { listMyGifts } from '~/server/domain/billing/base/gift-links';
import { giftsOnSale, giftTermsShown } from '~/server/domain/billing/base/rules';
import { buyGift as giftInput } from '~/server/domain/billing/base/schema';
import { buyGift } from '~/server/domain/billing/gifts/buy-gift';
import { redeemGift } from '~/server/domain/billing/gifts/redeem-gift';
import { cancelSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { pauseSubscription } from '~/server/domain/billing/subscriptions/pause-subscription';
import { acting } from './acting';
import type { CastIndex } from './cast-template';
import { makers, PASSWORD } from './make';
import { GOOD_CARD, openShop, showItem } from './open-shop';
import { openTestRuntime } from './open-test-runtime';
import { REAL_STRIPE } from './open-test-stripe';
import { passwordHashOf } from './password-hash';

const FAILS_AT_RENEWAL = '4000000000000044';

type Subscriber = { id: number; email: string; subscription: number };
type State = 'active' | 'yearly' | 'trial' | 'overdue' | 'cancelled' | 'paused' | 'refunded';

/** The facts about the shop that tests need: its time, Lucía's club, and the buyers of the club. */
export type ShopIndex = CastIndex & {
  now: Date;
  club: number;
  buyers: Record<State, Subscriber> & { gift: { id: number; email: string } };
};

/** Adds the club and its buyers to a database with the cast, through the domain and the payment provider. */
export async function buildShop(url: string, dataDir: string): Promise<ShopIndex> {
  const cast: CastIndex = JSON.parse(await fs.readFile(path.join(dataDir, '../index.json'), 'utf8'));
  const opened = await openTestRuntime(url, dataDir, REAL_STRIPE);
  const sold = await openShop(opened);
  const make = makers(opened.runtime, { passwordHash: await passwordHashOf(PASSWORD), cover: null });
  const index = await createBuyers({ ...opened, ...sold, ...acting(opened.runtime), make }, cast);
  await sold.close();
  await opened.close();
  return { ...cast, ...index };
}

type Stage = Awaited<ReturnType<typeof openTestRuntime>> &
  Awaited<ReturnType<typeof openShop>> &
  ReturnType<typeof acting> & { make: ReturnType<typeof makers> };
type Show = Awaited<ReturnType<Stage['make']['product']>>;

/** The overdue buyer buys a month earlier; later, nothing happens to any of them. */
async function createBuyers(stage: Stage, { lucia }: CastIndex) {
  const { runtime, clock, make, pass, settle, ctxOf } = stage;
  // the clock moves beyond her trial
  await runtime.db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO', since: clock.now });
  const club = await make.product(lucia, { name: 'Club', priceMinor: 500, annualPriceMinor: 5000 });
  const overdue = await subscriber(stage, club, { number: FAILS_AT_RENEWAL });
  await pass(later(clock.now, DAYS(31) + HOURS(2)));
  const active = await subscriber(stage, club);
  const yearly = await subscriber(stage, club, { terms: { every: 'year', priceMinor: 5000 } });
  const trial = await subscriber(stage, club, { terms: { trialDays: 14 } });
  const cancelled = await subscriber(stage, club);
  await cancelSubscription(ctxOf({ id: cancelled.id, creatorId: null }), { id: cancelled.subscription });
  const paused = await subscriber(stage, club);
  await pauseSubscription(ctxOf(lucia), { id: paused.subscription, months: 3 });
  const refunded = await subscriber(stage, club);
  await refund(stage, lucia, { club, refunded });
  const gift = await giftedFriend(stage, club);
  await settle();
  return {
    now: clock.now,
    club: club.id,
    buyers: { active, yearly, trial, overdue, cancelled, paused, refunded, gift },
  };
}

type Order = { number?: string; terms?: Parameters<typeof showItem>[2] };

async function subscriber({ runtime, make, buy, settle }: Stage, club: Show, order: Order = {}): Promise<Subscriber> {
  const { id, email } = await make.person();
  await buy(showItem(club, { userId: id }, order.terms), order.number ?? GOOD_CARD);
  await settle();
  const [row] = await runtime.db.select().from(subscriptions).where(eq(subscriptions.userId, id));
  return { id, email, subscription: row!.id };
}

async function refund(
  { runtime, as }: Stage,
  lucia: CastIndex['lucia'],
  { club, refunded }: { club: Show; refunded: Subscriber },
): Promise<void> {
  const session = await runtime.sessions.start(lucia.id, { channel: 'web', userAgent: '', country: null });
  const [sale] = await runtime.db.select().from(sales).where(eq(sales.userId, refunded.id));
  const { buyers } = await as(session);
  await buyers.refund({ id: club.id, kind: club.kind, saleId: sale!.id, refundedMinor: 0 });
}

/** A listener who has redeemed a gift of three months. */
async function giftedFriend({ make, fetch, settle, ctxOf }: Stage, club: Show) {
  const [giver, friend] = [await make.person(), await make.person()];
  const shown = giftTermsShown(giftsOnSale(club), club.currency);
  const input = giftInput.parse({ product: club.id, months: 3, shown, terms: 'on', adult: 'on' });
  const { url } = await buyGift(ctxOf(giver), input, 'browser');
  await payByForms(fetch, url, { number: GOOD_CARD, proven: true });
  await settle();
  const [gift] = await listMyGifts(ctxOf(giver));
  await redeemGift(ctxOf(friend), { token: new URL(gift!.url!).searchParams.get('token')! });
  return { id: friend.id, email: friend.email };
}
