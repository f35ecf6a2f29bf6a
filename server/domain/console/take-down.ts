import { desc, eq, isNotNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { TakeDown } from '~/db/values/take-downs';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { CONTACT_PATH } from '../../base/public-paths';
import { OPERATOR_LIMITS } from '../../limits/operators';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { creatorNotFound } from '../creators/errors';
import { clearTakenDown, markTakenDown } from '../creators/suspend-publishing';
import { episodeNotFound } from '../episodes/errors';
import { restoreTakenDown, takeDownEpisode } from '../episodes/take-down-episode';
import { type Operator, recordOperation } from '../operators/record-operation';
import { productNotFound } from '../products/errors';
import { restoreProduct, restoreProductsOf, takeDownProduct, takeDownProductsOf } from '../products/take-down-product';
import { upholdReports } from '../support/decide-reports';
import { nothingToDo } from './errors';
import type { TakeDownTarget, TakeDownThing, TakenDownThing } from './schema';

type Withheld = { creatorId: number; name: string };
/** The report's column that names the object. */
const COLUMNS = { episode: 'episodeId', show: 'productId' } as const;
type Way = {
  takeDown(tx: TxCtx, id: number, statement: TakeDown): Promise<Withheld | null>;
  restore(tx: TxCtx, id: number): Promise<Withheld | null>;
};

const WAYS: Record<TakeDownTarget, Way> = {
  episode: { takeDown: takeDownEpisode, restore: restoreTakenDown },
  show: { takeDown: takeDownProduct, restore: restoreProduct },
  creator: { takeDown: takeDownCreator, restore: restoreCreator },
};

/** Takes down all shows, and stops further publishing. */
async function takeDownCreator(tx: TxCtx, id: number, statement: TakeDown): Promise<Withheld | null> {
  const shows = await takeDownProductsOf(tx, id, statement);
  const isMarked = await markTakenDown(tx, id);
  return isMarked || shows.length > 0 ? lookupCreator(tx, id) : null;
}

async function restoreCreator(tx: TxCtx, id: number): Promise<Withheld | null> {
  const shows = await restoreProductsOf(tx, id);
  const isCleared = await clearTakenDown(tx, id);
  return isCleared || shows.length > 0 ? lookupCreator(tx, id) : null;
}

/**
 * Withholds an episode, a show, or everything of a creator from everyone but the team, and sends the owner the
 * statement of reasons. Nothing is deleted. @throws episode.not_found, product.not_found, creator.not_found,
 * console.nothing_to_do
 */
export function takeDown(ctx: Ctx, { operator, target, id, ground, reason }: TakeDownThing & By): Promise<void> {
  return transact(ctx, async (tx) => {
    await requireKnown(tx, target, id);
    const done = await WAYS[target].takeDown(tx, id, { ground, reason, isWhole: target === 'creator' });
    if (!done) throw nothingToDo();
    await record(tx, operator, {
      action: 'take_downs.taken_down',
      target: `${target}/${id}`,
      details: { ground, reason },
    });
    const about = target === 'creator' ? {} : { [COLUMNS[target]]: id };
    await upholdReports(tx, { creatorId: done.creatorId, ...about }, { by: operator.name, answer: reason });
    await tellOwner(tx, done, { ground, reason });
  });
}

/** @throws as takeDown */
export function restoreTaken(ctx: Ctx, { operator, target, id }: TakenDownThing & By): Promise<void> {
  return transact(ctx, async (tx) => {
    await requireKnown(tx, target, id);
    const done = await WAYS[target].restore(tx, id);
    if (!done) throw nothingToDo();
    await record(tx, operator, { action: 'take_downs.restored', target: `${target}/${id}`, details: {} });
    await tellOwner(tx, done, null);
  });
}

type By = { operator: Operator };
const record = recordOperation;

const TABLES = {
  episode: [episodes, episodeNotFound],
  show: [products, productNotFound],
  creator: [creators, creatorNotFound],
} as const;

async function requireKnown({ db }: TxCtx, target: TakeDownTarget, id: number): Promise<void> {
  const [table, notFound] = TABLES[target];
  if ((await db.$count(table, eq(table.id, id))) === 0) throw notFound();
}

async function lookupCreator({ db }: TxCtx, id: number): Promise<Withheld> {
  const [row] = await db.select({ name: creators.name }).from(creators).where(eq(creators.id, id));
  return { creatorId: id, name: row?.name ?? '' };
}

/** Tells the owner, in their language. */
async function tellOwner(
  tx: TxCtx,
  { creatorId, name: what }: Withheld,
  statement: Pick<TakeDown, 'ground' | 'reason'> | null,
) {
  const [found] = await tx.db
    .select({ owner: users })
    .from(users)
    .innerJoin(creators, eq(creators.userId, users.id))
    .where(eq(creators.id, creatorId));
  if (!found) return;
  const { owner } = found;
  const url = tx.urls.app(CONTACT_PATH);
  if (!statement) return queueAccountEmail(tx, owner, { topic: 'take_down_lifted', what, url });
  const ground = tx.translate(`content:take_down.${statement.ground}`, {}, owner.language ?? DEFAULT_LANGUAGE);
  await queueAccountEmail(tx, owner, { topic: 'taken_down', what, ground, reason: statement.reason, url });
}

/** The newest takedowns first. */
export async function listTakenDown({ db }: Pick<Ctx, 'db'>) {
  const creator = { creatorId: creators.id, creator: creators.domain };
  const shows = await db
    .select({
      id: products.id,
      name: products.name,
      at: products.takenDownAt,
      statement: products.takeDown,
      ...creator,
    })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(isNotNull(products.takenDownAt))
    .orderBy(desc(products.takenDownAt))
    .limit(OPERATOR_LIMITS.listed);
  const parts = await db
    .select({
      id: episodes.id,
      name: episodes.name,
      at: episodes.takenDownAt,
      statement: episodes.takeDown,
      ...creator,
    })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .where(isNotNull(episodes.takenDownAt))
    .orderBy(desc(episodes.takenDownAt))
    .limit(OPERATOR_LIMITS.listed);
  return [
    ...shows.map((row) => ({ target: 'show' as const, ...row })),
    ...parts.map((row) => ({ target: 'episode' as const, ...row })),
  ];
}

export type TakenDown = Awaited<ReturnType<typeof listTakenDown>>[number];
