import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { paymentCards } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { ADD_CARD_PATH, PAYMENT_METHODS_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { MANAGING_LIMITS } from '../../../limits/billing';
import { requireUser } from '../../../policy/actor';
import type { Ctx } from '../../../runtime/ctx';
import { cardsOf, findUser } from '../../accounts/base/queries';
import { customerOf } from '../base/customers';
import { cardNotFound, checkoutNotFound } from '../base/errors';
import { lookupCheckout } from '../base/queries';
import type { FindCard, FinishCard, StartCard } from '../base/schema';
import type { CardView } from '../base/views';
import { openCheckout } from '../checkout/checkouts';
import { syncCards } from '../provider-sync/cards';
import { syncCheckout } from '../provider-sync/sync-checkout';
import { endQueued, ignoreConflict } from '../subscriptions/end-subscriptions';
import { type CardRow, findOwn, requireRunning, toCardView } from '../subscriptions/my-subscriptions';
import { chargeToCard, chargeToStoredCard } from './charge-card';

/**
 * What a card pays for. `isLast`: removing the card ends these subscriptions, because no other card is left.
 * `isDefault`: the default card of the account, although each of its customers at the provider has its own. `moves` and
 * `stays`: what would be charged to the card if it became the default, and what could not, because it belongs to another
 * customer.
 */
export type ListedCard = CardView & {
  charged: ChargedItem[];
  isLast: boolean;
  mayBeDefault: boolean;
  moves: ChargedItem[];
  stays: ChargedItem[];
};
export type ChargedItem = { purpose: 'show' | 'donation' | 'plan'; name: string; periodEnd: Date };

/**
 * The current user's saved cards, the default one first. A card that several customers of the user have saved is listed
 * once, for all of them.
 */
export async function listMyCards(ctx: Ctx): Promise<ListedCard[]> {
  const { userId } = requireUser(ctx);
  const [cards, charged] = await Promise.all([cardsOf(ctx, userId, MANAGING_LIMITS.listed), listCharged(ctx, userId)]);
  const main = cards.find(({ isDefault }) => isDefault);
  const isOnlyOf = (card: CardRow) => cards.filter(({ customerId }) => customerId === card.customerId).length === 1;
  const isOn = (card: CardRow, row: Charged) =>
    row.customerId === card.customerId &&
    (row.cardId === card.providerId || (row.cardId === null && (card.isDefault || isOnlyOf(card))));
  return groupTwins(cards).map((twins) => {
    const isOnAny = (row: Charged) => twins.some((card) => isOn(card, row));
    const isOnCustomer = (row: Charged) => twins.some(({ customerId }) => customerId === row.customerId);
    const [shown] = twins;
    return {
      ...toCardView(ctx, shown!),
      isDefault: twins.some((card) => card === main),
      mayBeDefault: twins.some(({ isDefault }) => !isDefault) && shown!.expiresAt > ctx.now(),
      isLast: twins.some(isOnlyOf),
      charged: charged.filter(isOnAny).map(toItem),
      moves: charged.filter((row) => isOnCustomer(row) && !isOnAny(row)).map(toItem),
      stays: charged.filter((row) => !isOnCustomer(row)).map(toItem),
    };
  });
}

/** The same number with another date of expiry is another card, which has replaced the first one. */
const isTwin = (one: CardRow, { fingerprint, account, expiresMonth, expiresYear }: CardRow) =>
  one.fingerprint !== null &&
  [one.fingerprint, one.account, one.expiresMonth, one.expiresYear].join() ===
    [fingerprint, account, expiresMonth, expiresYear].join();

function groupTwins(cards: CardRow[]): CardRow[][] {
  const groups: CardRow[][] = [];
  for (const card of cards) {
    const group = groups.find(([first]) => first && isTwin(first, card));
    if (group) group.push(card);
    else groups.push([card]);
  }
  return groups;
}

type Charged = Awaited<ReturnType<typeof listCharged>>[number];

const toItem = ({ purpose, name, periodEnd }: Charged): ChargedItem => ({ purpose, name: name ?? '', periodEnd });

async function listCharged(ctx: Ctx, userId: number) {
  const rows = await ctx.db
    .select({
      purpose: subscriptions.purpose,
      customerId: subscriptions.customerId,
      cardId: subscriptions.cardId,
      periodEnd: subscriptions.periodEnd,
      show: products.name,
      creator: creators.name,
      plan: subscriptions.plan,
    })
    .from(subscriptions)
    .innerJoin(creators, eq(creators.id, subscriptions.creatorId))
    .leftJoin(products, eq(products.id, subscriptions.productId))
    .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.endedAt), isNull(subscriptions.endsAt)))
    .orderBy(subscriptions.id)
    .limit(MANAGING_LIMITS.listed);
  return rows.map(({ show, creator, plan, ...row }) => ({ ...row, name: show ?? plan ?? creator }));
}

/**
 * Opens the provider's page where the current user stores a card. Repeating it opens the same page.
 * @throws billing.subscription_not_found, billing.subscription_ended
 */
export async function startCard(ctx: Ctx, { subscription }: StartCard): Promise<{ url: string }> {
  const { userId } = requireUser(ctx);
  const row = subscription === undefined ? null : requireRunning(ctx, await findOwn(ctx, subscription));
  const prefix = languagePrefix(ctx.language);
  // a card belongs to one customer, and a user who has bought before logging in has several
  const customer = row
    ? { id: row.customerId, account: row.account }
    : { id: await customerOf(ctx, userId), account: null };
  const { currency } = await findUser(ctx, userId);
  const { url } = await openCheckout(ctx, {
    purpose: 'card',
    buyer: { userId },
    creatorId: null,
    customer,
    terms: { name: '', priceMinor: 0, currency, every: null, ...(row && { subscriptionId: row.id }) },
    paths: {
      success: ctx.urls.app(`${prefix}${PAYMENT_METHODS_PATH}`),
      cancel: ctx.urls.app(`${prefix}${ADD_CARD_PATH}`),
    },
  });
  return { url };
}

/**
 * Call it after the provider's page: the card is charged from now on, and pays overdue subscriptions at once.
 * @returns the only subscription that the card was stored for; null for all
 * @throws billing.checkout_not_found, also for other users' checkouts; payments.card_declined and so on
 */
export async function finishCard(ctx: Ctx, { checkout }: FinishCard): Promise<{ subscription: number | null }> {
  const { userId } = requireUser(ctx);
  const row = await lookupCheckout(ctx, checkout);
  if (row?.purpose !== 'card' || row.userId !== userId) throw checkoutNotFound();
  if (row.status === 'open' && row.providerId) await syncCheckout(ctx, row.providerId);
  const declined = await chargeToStoredCard(ctx, { checkoutId: row.id });
  if (declined) throw declined;
  const [stored] = await ctx.db
    .select()
    .from(paymentCards)
    .where(eq(paymentCards.customerId, row.customerId ?? ''));
  if (stored) await syncCards(ctx, stored.customerId);
  return { subscription: row.terms.subscriptionId ?? null };
}

/** Charges all subscriptions to this card from now on. @throws billing.card_not_found; payments.card_declined */
export async function setDefaultCard(ctx: Ctx, { id }: FindCard): Promise<void> {
  for (const { customerId: customer, providerId: card } of await findOwnCards(ctx, id)) {
    const declined = await chargeToCard(ctx, { customer, card, scope: 'all' });
    if (declined) throw declined;
  }
}

/** Removes a card, with the consequences for subscriptions (card-changes.ts). @throws billing.card_not_found */
export async function removeCard(ctx: Ctx, { id }: FindCard): Promise<void> {
  for (const { customerId, providerId, account } of await findOwnCards(ctx, id)) {
    await ctx.ports.payments.on(account).removeCard(providerId, `card/${randomUUID()}`).catch(ignoreConflict);
    await syncCards(ctx, customerId);
    await endPending(ctx, customerId);
  }
}

/** Does the jobs' work early, so that the page is right at once. */
async function endPending(ctx: Ctx, customer: string): Promise<void> {
  const reason = 'card_removed' as const;
  const pending = await ctx.db
    .select({ subscriptionId: subscriptions.id, purpose: subscriptions.purpose })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.customerId, customer),
        eq(subscriptions.endReason, reason),
        isNull(subscriptions.endsAt),
        isNull(subscriptions.endedAt),
      ),
    );
  for (const { subscriptionId, purpose } of pending)
    await endQueued(ctx, { subscriptionId, reason, when: purpose === 'donation' ? 'now' : 'at_period_end' });
}

/** The card, and the same one of other customers. @throws billing.card_not_found, also for other users' cards */
async function findOwnCards(ctx: Ctx, id: string): Promise<CardRow[]> {
  const cards = await cardsOf(ctx, requireUser(ctx).userId, MANAGING_LIMITS.listed);
  const group = groupTwins(cards).find((twins) => twins.some(({ providerId }) => providerId === id));
  if (!group) throw cardNotFound();
  return group;
}
