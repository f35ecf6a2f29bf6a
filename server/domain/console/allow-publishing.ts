import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { OPERATOR_LIMITS } from '../../limits/operators';
import { whereKept, wherePublished } from '../../policy/visibility';
import { type Ctx, transact } from '../../runtime/ctx';
import { creatorNotFound } from '../creators/errors';
import { allowPublishing, stopPublishing } from '../creators/suspend-publishing';
import { listOperations } from '../operators/queries';
import { type Operator, recordOperation } from '../operators/record-operation';
import { balancesOf } from '../payouts/queries';
import { countPlanUse, currentPlan } from '../plans/queries';
import { nothingToDo } from './errors';

type Step = { operator: Operator; id: number };

const targetOf = (id: number) => `creator/${id}`;

/** @throws creator.not_found */
export async function showCreator(ctx: Ctx, id: number) {
  const { name, domain, claimedAt, closedAt, publishingStoppedAt } = creators;
  const [row] = await ctx.db
    .select({ name, domain, claimedAt, closedAt, publishingStoppedAt, user: { id: users.id, email: users.email } })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(creators.id, id));
  if (!row) throw creatorNotFound();
  const plan = await currentPlan(ctx, id);
  const { paidSubscribers, subscribers } = await countPlanUse(ctx, id);
  return {
    ...{ id, ...row, url: ctx.urls.creator(row.domain), plan: plan.name, paidSubscribers, subscribers },
    audioBytes: await audioBytesOf(ctx, id),
    balances: await balancesOf(ctx, id),
    shows: await showsOf(ctx, { id, domain: row.domain }),
    operations: await listOperations(ctx, targetOf(id)),
  };
}

/** Bytes of the audio of stored episodes. */
async function audioBytesOf({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${episodes.audioBytes}), 0)`.mapWith(Number) })
    .from(episodes)
    .where(and(eq(episodes.creatorId, creatorId), whereKept()));
  return row?.bytes ?? 0;
}

async function showsOf({ db, urls }: Pick<Ctx, 'db' | 'urls'>, creator: { id: number; domain: string }) {
  const published = sql<number>`(
    select count(*)::int from ${episodes} where ${episodes.productId} = ${products.id} and ${wherePublished()} and ${whereKept()})`;
  const { id, name, slug, kind, priceMinor, currency } = products;
  const rows = await db
    .select({ id, name, slug, kind, priceMinor, currency, published })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(and(eq(products.creatorId, creator.id), isNull(products.retiredAt)))
    .orderBy(desc(products.id))
    .limit(OPERATOR_LIMITS.shown);
  return rows.map(({ slug, ...row }) => ({ ...row, url: urls.product(creator.domain, slug) }));
}

/** @throws creator.not_found, console.nothing_to_do */
export function stopCreator(ctx: Ctx, { operator, id, reason }: Step & { reason: string }): Promise<void> {
  return transact(ctx, async (tx) => {
    await requireKnown(tx, id);
    if (!(await stopPublishing(tx, id, reason))) throw nothingToDo();
    const details = { reason };
    await recordOperation(tx, operator, { action: 'creators.publishing_stopped', target: targetOf(id), details });
  });
}

/** @throws creator.not_found, console.nothing_to_do */
export function allowCreator(ctx: Ctx, { operator, id }: Step): Promise<void> {
  return transact(ctx, async (tx) => {
    await requireKnown(tx, id);
    if (!(await allowPublishing(tx, id))) throw nothingToDo();
    await recordOperation(tx, operator, { action: 'creators.publishing_allowed', target: targetOf(id), details: {} });
  });
}

async function requireKnown({ db }: Pick<Ctx, 'db'>, id: number): Promise<void> {
  if ((await db.$count(creators, eq(creators.id, id))) === 0) throw creatorNotFound();
}

export type CreatorFile = Awaited<ReturnType<typeof showCreator>>;
