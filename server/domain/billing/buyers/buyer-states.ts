import { and, desc, eq, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { buyerStates } from '~/db/schema/buyers';
import { wholeSeconds } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import type { Db } from './buyer-filter';

/** The columns of `buyer_states` that a list of people needs, chosen, sorted and cut by a query. */
export const LISTED = { userId: buyerStates.userId, since: buyerStates.since, state: buyerStates.state };

export type People = ReturnType<typeof peopleOf>;

/** Each of the listed people with their state until now, and the subscription that decides it. */
export function peopleOf({ db }: Pick<Db, 'db'>, productId: number, listed: Listed) {
  const latest = latestSubscription({ db }, productId, listed);
  const giftEnd = sql`(select ${grants.endsAt} from ${grants} where ${and(
    eq(grants.userId, listed.userId),
    eq(grants.productId, productId),
    eq(grants.source, 'gift'),
  )})`;
  const grace = sql`${latest.pastDueSince} + make_interval(secs => ${wholeSeconds(BILLING_LIMITS.grace)})`;
  const until = sql<Date | null>`case ${listed.state}
    when 'past_due' then ${grace}
    when 'cancelled' then ${latest.endsAt}
    when 'paused' then ${latest.pausedUntil}
    when 'trial' then ${latest.trialEnd}
    when 'gift' then ${giftEnd}
    when 'invited' then ${giftEnd} end`;
  const renews = sql`${latest.isRunning} and ${latest.endsAt} is null and ${latest.pausedUntil} is null`;
  const renewal = sql<Date | null>`case when ${renews} then ${latest.periodEnd} end`;
  return db
    .select({
      userId: listed.userId,
      name: sql<string | null>`case when ${listed.state} <> 'invited' then ${users.name} end`.as('shown_name'),
      email: sql<string>`${users.email}`.as('shown_email'),
      state: listed.state,
      until: until.mapWith(subscriptions.endsAt).as('until'),
      isUnconfirmed: sql<boolean>`${listed.state} = 'past_due' and ${latest.confirmationUrl} is not null`.as(
        'is_unconfirmed',
      ),
      since: listed.since,
      renewsAt: renewal.mapWith(subscriptions.periodEnd).as('renews_at'),
      every: sql<'month' | 'year' | null>`case when ${latest.isRunning} then ${latest.every} end`.as('interval'),
      priceMinor: sql<number | null>`case when ${latest.isRunning} then ${latest.priceMinor} end`.as('price'),
      subscription: sql<string | null>`${latest.providerId}`.as('subscription'),
      customer: sql<string | null>`${latest.customerId}`.as('customer'),
      account: sql<string | null>`${latest.account}`.as('account'),
    })
    .from(listed)
    .innerJoin(users, eq(users.id, listed.userId))
    .leftJoinLateral(latest, sql`true`)
    .as('people');
}

const selectListed = ({ db }: Pick<Db, 'db'>) => db.select(LISTED).from(buyerStates).as('listed');
export type Listed = ReturnType<typeof selectListed>;

/** A person's running subscription, otherwise the last one, as `buyer_state_facts` chooses it. */
function latestSubscription({ db }: Pick<Db, 'db'>, productId: number, listed: Listed) {
  const isRunning = sql<boolean>`(${subscriptions.endedAt} is null)`;
  return db
    .select({
      account: subscriptions.account,
      customerId: subscriptions.customerId,
      providerId: subscriptions.providerId,
      every: subscriptions.every,
      priceMinor: subscriptions.priceMinor,
      endsAt: subscriptions.endsAt,
      pausedUntil: subscriptions.pausedUntil,
      pastDueSince: subscriptions.pastDueSince,
      trialEnd: subscriptions.trialEnd,
      confirmationUrl: subscriptions.confirmationUrl,
      periodEnd: subscriptions.periodEnd,
      isRunning: isRunning.as('is_running'),
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, listed.userId),
        eq(subscriptions.productId, productId),
        eq(subscriptions.purpose, 'show'),
      ),
    )
    .orderBy(desc(isRunning), desc(subscriptions.id))
    .limit(1)
    .as('latest');
}
