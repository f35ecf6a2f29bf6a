import { and, count, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { subscriptions } from '~/db/schema/billing';
import { gifts } from '~/db/schema/gifts';
import { products } from '~/db/schema/products';
import { whereOpenGift, wherePaidGrant } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';

/**
 * Numbers of grants that have not ended: subscriptions, and all paid grants, including purchases and gifts, redeemed or
 * not.
 */
export type Paying = { subscriptions: number; all: number };

/** Counts the people who pay for a product, or have paid. Followers are not counted. */
export async function countPaying(ctx: Pick<Ctx, 'db' | 'now'>, productId: number): Promise<Paying> {
  const rows = await ctx.db
    .select({ source: grants.source, total: count() })
    .from(grants)
    .where(wherePaying(ctx, productId))
    .groupBy(grants.source);
  const given = await ctx.db.$count(gifts, and(eq(gifts.productId, productId), whereOpenGift(ctx.now())));
  const subscriptions = rows.find(({ source }) => source === 'subscription')?.total ?? 0;
  return { subscriptions, all: rows.reduce((sum, { total }) => sum + total, given) };
}

/** The number of paid grants for each show of a creator; shows without any are missing. */
export async function countPayingByShow(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<Map<number, number>> {
  const rows = await ctx.db
    .select({ id: products.id, total: count() })
    .from(grants)
    .innerJoin(products, eq(products.id, grants.productId))
    .where(and(eq(products.creatorId, creatorId), isLivePaid(ctx)))
    .groupBy(products.id);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

/**
 * The end of the last subscription, if none is renewed; null without subscriptions. The access of a renewing
 * subscription lasts some days longer than its period, because a payment may be late.
 */
export async function lastSubscriptionEnd(ctx: Pick<Ctx, 'db' | 'now'>, productId: number): Promise<Date | null> {
  const end = sql`least(${grants.endsAt}, coalesce(${subscriptions.endsAt}, ${subscriptions.periodEnd}))`;
  const [row] = await ctx.db
    .select({ last: sql<Date | null>`max(${end})`.mapWith(grants.endsAt) })
    .from(grants)
    .leftJoin(
      subscriptions,
      and(
        eq(subscriptions.userId, grants.userId),
        eq(subscriptions.productId, grants.productId),
        eq(subscriptions.purpose, 'show'),
        isNull(subscriptions.endedAt),
      ),
    )
    .where(whereSubscribed(ctx, productId));
  return row?.last ?? null;
}

export const whereSubscribed = (ctx: Pick<Ctx, 'now'>, productId: number): SQL =>
  and(wherePaying(ctx, productId), eq(grants.source, 'subscription')) as SQL;

function wherePaying(ctx: Pick<Ctx, 'now'>, productId: number): SQL {
  return and(eq(grants.productId, productId), isLivePaid(ctx)) as SQL;
}

/** Grants that begin later were paid for, too. */
const isLivePaid = ({ now }: Pick<Ctx, 'now'>) =>
  and(wherePaidGrant(), or(isNull(grants.endsAt), gt(grants.endsAt, now())));
