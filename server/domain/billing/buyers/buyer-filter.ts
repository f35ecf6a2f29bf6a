import { and, eq, exists, ilike, inArray, isNotNull, isNull, ne, not, or, type SQL } from 'drizzle-orm';
import { grants, holders } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { patternOf } from '~/db/search';
import { whereLiveGrant } from '../../../policy/visibility';
import type { ProductRow } from '../../products/queries';
import type { BuyerState } from '../base/kinds';
import { type Db, peopleOf, type Who } from './buyer-states';

export type BuyerFilter = { search?: string; state?: BuyerState };

/** Followers of a paid show are not buyers. */
export const isListed = ({ id, priceMinor }: ProductRow): SQL | undefined =>
  and(eq(holders.productId, id), priceMinor === null ? undefined : isNotNull(holders.paidSince));

export const sinceOf = ({ priceMinor }: ProductRow) => (priceMinor === null ? holders.since : holders.paidSince);

/** The filter as a condition on `holders`. The state is looked up only for people who may have it. */
export function isFound(ctx: Db, show: ProductRow, { search, state }: BuyerFilter): SQL | undefined {
  const pattern = patternOf(search);
  return and(pattern ? isNamed(ctx, show, pattern) : undefined, state && isIn(ctx, show, state));
}

/** The search skips names of people who were only invited, because the list hides them. */
function isNamed(ctx: Db, show: ProductRow, pattern: string): SQL {
  const isShown = not(isIn(ctx, show, 'invited'));
  const found = ctx.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.id, holders.userId), or(ilike(users.email, pattern), and(ilike(users.name, pattern), isShown))),
    );
  return exists(found);
}

function isIn(ctx: Db, show: ProductRow, state: BuyerState): SQL {
  if (state === 'subscribed') return isSubscribed(ctx, show);
  const people = peopleOf(ctx, show, candidates(ctx, show, state));
  return inArray(holders.userId, ctx.db.select({ id: people.userId }).from(people).where(eq(people.state, state)));
}

/** Most people have this state, so it is not computed for each of them: it is that of an undisturbed subscription. */
function isSubscribed(ctx: Db, { id }: ProductRow): SQL {
  const { endsAt, pastDueSince, pausedUntil, status } = subscriptions;
  const undisturbed = and(isNull(endsAt), isNull(pastDueSince), isNull(pausedUntil), ne(status, 'trialing'));
  const granted = ctx.db
    .select({ id: grants.userId })
    .from(grants)
    .where(and(eq(grants.productId, id), eq(grants.source, 'subscription'), whereLiveGrant(ctx.now().toISOString())));
  const withoutRow = and(not(inArray(holders.userId, subscribers(ctx, id))), inArray(holders.userId, granted));
  return or(
    inArray(holders.userId, subscribers(ctx, id, and(isNull(subscriptions.endedAt), undisturbed))),
    withoutRow,
  ) as SQL;
}

/** People who may have the state; those without it are left out later. */
function candidates(ctx: Db, { id, priceMinor }: ProductRow, state: Exclude<BuyerState, 'subscribed'>): Who {
  const { endsAt, endedAt, pastDueSince, pausedUntil, status } = subscriptions;
  const running = (where?: SQL) => subscribers(ctx, id, and(isNull(endedAt), where));
  const granted = (source: (typeof grants.$inferSelect)['source']) =>
    ctx.db
      .select({ id: grants.userId })
      .from(grants)
      .where(and(eq(grants.productId, id), eq(grants.source, source)));
  const held = (where: SQL) =>
    ctx.db
      .select({ id: holders.userId })
      .from(holders)
      .where(and(eq(holders.productId, id), where));
  const of = {
    past_due: () => running(isNotNull(pastDueSince)),
    cancelled: () => running(isNotNull(endsAt)),
    paused: () => running(isNotNull(pausedUntil)),
    trial: () => running(eq(status, 'trialing')),
    bought: () => granted('purchase'),
    gift: () => granted('gift'),
    invited: () => granted('gift'),
    following: () => granted('follow'),
    giver: () => held(isNull(priceMinor === null ? holders.until : holders.paidUntil)),
    ended: () => held(not(inArray(holders.userId, running(isNull(endsAt))))),
  };
  return of[state]();
}

const subscribers = ({ db }: Db, productId: number, where?: SQL) =>
  db
    .select({ id: subscriptions.userId })
    .from(subscriptions)
    .where(and(eq(subscriptions.productId, productId), eq(subscriptions.purpose, 'show'), where));
