import { and, desc, eq, inArray } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { products } from '~/db/schema/products';
import { DAYS, earlier } from '../base/time';
import { termsShown } from '../domain/billing/base/rules';
import * as schema from '../domain/billing/base/schema';
import { inviteBuyer } from '../domain/billing/buyers/invite-buyers';
import { buyShow } from '../domain/billing/checkout/buy-show';
import { viewOffer } from '../domain/billing/checkout/view-offer';
import { refundSale } from '../domain/billing/refunds/refund-sale';
import { cancelSubscription } from '../domain/billing/subscriptions/my-subscriptions';
import { pauseSubscription } from '../domain/billing/subscriptions/pause-subscription';
import { syncSubscription } from '../domain/billing/subscriptions/subscriptions';
import { privateLinks } from '../domain/feeds/private-links';
import { requireUser } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { systemCtx } from '../runtime/runtime';
import { actAs } from './acting';
import { payOnce } from './checking-out';
import type { DemoPerson, DemoSale } from './demo-types';
import { cardIn, type DemoPayments } from './paying';

type Show = typeof products.$inferSelect;
type Step = { person: DemoPerson; sale: DemoSale; show: Show; owner: DemoPerson };

/**
 * Buys as on the pages, the oldest purchase first, with both clocks set to its day. Events until today follow at the
 * end: renewals, declined renewals and ends. Without simulated payments there is nothing to show.
 */
export async function seedSales(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  payments: DemoPayments | null,
): Promise<void> {
  if (!payments) return;
  const steps = await stepsOf(runtime, cast);
  try {
    for (const step of steps) await buyDemoShow(runtime, step, payments);
  } finally {
    await payments.setTime(null);
  }
  await payments.catchUp();
  await syncAll(runtime);
  for (const step of steps) await makeFeed(runtime, step);
  await inviteAll(runtime, cast);
}

async function stepsOf(runtime: Runtime, cast: readonly DemoPerson[]): Promise<Step[]> {
  const steps: Step[] = [];
  const shows = await listShows(runtime, cast);
  for (const person of cast)
    for (const sale of person.buys ?? []) {
      const show = shows.find(({ slug }) => slug === sale.slug);
      const owner = ownerOf(cast, sale.slug);
      if (show && owner) steps.push({ person, sale, show, owner });
    }
  return steps.sort((a, b) => b.sale.daysAgo - a.sale.daysAgo);
}

const ownerOf = (cast: readonly DemoPerson[], slug: string) =>
  cast.find(({ products }) => products.some((product) => product.slug === slug));

function listShows({ db }: Runtime, cast: readonly DemoPerson[]): Promise<Show[]> {
  const slugs = cast.flatMap((person) => person.products.map(({ slug }) => slug));
  return db.select().from(products).where(inArray(products.slug, slugs));
}

/** An earlier start may have made the purchase. */
async function buyDemoShow(runtime: Runtime, { person, sale, show, owner }: Step, { pay, setTime }: DemoPayments) {
  const at = earlier(runtime.now(), DAYS(sale.daysAgo));
  await setTime(at);
  const buyer = await actAs(runtime, person, at);
  const { userId } = requireUser(buyer);
  const isIt = and(eq(checkouts.userId, userId), eq(checkouts.productId, show.id), eq(checkouts.purpose, 'show'));
  const { card = cardIn(person.country), then } = sale;
  await payOnce(buyer, {
    isIt,
    open: () => buyAtOffer(buyer, show, sale),
    pay: (url) => pay(url, card, person.country),
  });
  if (then) await takeNextStep(then, { buyer, creator: await actAs(runtime, owner, at), show, userId });
}

/**
 * Makes the addresses of a buyer's feed on the first day of the access. It begins later than the purchase if a worker,
 * whose clock shows today, has settled it first. None after a refund, whose access is over.
 */
async function makeFeed(runtime: Runtime, { person, sale, show }: Step): Promise<void> {
  const at = earlier(runtime.now(), DAYS(sale.daysAgo));
  const buyer = await actAs(runtime, person, at);
  const isTheirs = and(eq(grants.userId, requireUser(buyer).userId), eq(grants.productId, show.id));
  const [grant] = await buyer.db.select().from(grants).where(isTheirs).orderBy(desc(grants.startsAt)).limit(1);
  if (!grant) return;
  const day = new Date(Math.max(grant.startsAt.getTime(), at.getTime()));
  if (grant.endsAt && grant.endsAt <= day) return;
  await privateLinks(await actAs(runtime, person, day), { productId: show.id });
}

async function buyAtOffer(buyer: Ctx, show: Show, { interval, coupon, amount }: DemoSale): Promise<void> {
  const choice = schema.findOffer.parse({ product: show.id, interval, coupon, amount });
  const { sale: offer } = await viewOffer(buyer, choice, null);
  if (!offer) throw new Error(`${show.slug} is not for sale`);
  const shown = termsShown(offer);
  await buyShow(buyer, { ...choice, shown, adult: true, terms: true }, 'demo');
}

type Bought = { buyer: Ctx; creator: Ctx; show: Show; userId: number };

/** Takes the next step unless an earlier start has taken it. */
async function takeNextStep(
  then: NonNullable<DemoSale['then']>,
  { buyer, creator, show, userId }: Bought,
): Promise<void> {
  const { id, kind } = show;
  if (then === 'cancel' || then === 'pause') {
    const isIts = and(eq(subscriptions.userId, userId), eq(subscriptions.productId, id));
    const [row] = await buyer.db.select().from(subscriptions).where(isIts);
    if (!row || row.endsAt || row.pausedUntil) return;
    if (then === 'pause') return pauseSubscription(creator, { id: row.id, months: 2 });
    await cancelSubscription(buyer, { id: row.id });
    return;
  }
  const isIts = and(eq(sales.userId, userId), eq(sales.productId, id));
  const [sale] = await buyer.db.select().from(sales).where(isIts);
  const amount = then === 'refund' ? undefined : then.refund;
  if (sale?.refundedMinor === 0)
    await refundSale(creator, schema.refundSale.parse({ id, kind, saleId: sale.id, amount, refundedMinor: 0 }));
}

/** Syncs directly, because no server listens for the webhooks yet. */
async function syncAll(runtime: Runtime): Promise<void> {
  const ctx = systemCtx(runtime, 'demo');
  const { providerId, purpose } = subscriptions;
  const rows = await ctx.db.select({ providerId }).from(subscriptions).where(eq(purpose, 'show'));
  for (const row of rows) await syncSubscription(ctx, row.providerId);
}

/** An earlier start may have sent the invitation. */
async function inviteAll(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const shows = await listShows(runtime, cast);
  for (const { email, invitedTo = [] } of cast)
    for (const slug of invitedTo) {
      const show = shows.find((each) => each.slug === slug);
      const owner = ownerOf(cast, slug);
      if (!show || !owner) continue;
      const ctx = await actAs(runtime, owner);
      const [known] = await ctx.db.select({ id: users.id }).from(users).where(eq(users.email, email));
      if (known) await inviteBuyer(ctx, { id: show.id, kind: show.kind, email });
    }
}
