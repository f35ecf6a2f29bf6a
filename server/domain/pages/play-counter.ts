import { and, eq, sql } from 'drizzle-orm';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { whereProductPublic } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { productNotFound } from '../products/errors';

export type CountedShow = { id: number; creatorId: number; language: string };

/** A show whose creator lets everybody see its plays. @throws product.not_found */
export async function findCountedShow({ db }: Pick<Ctx, 'db'>, id: number): Promise<CountedShow> {
  const [show] = await db
    .select({ id: products.id, creatorId: products.creatorId, language: products.language })
    .from(products)
    .where(and(eq(products.id, id), eq(products.showsPlays, true), whereProductPublic()));
  if (!show) throw productNotFound();
  return show;
}

/** All plays of a show, rounded down, so that nobody can watch single ones. */
export async function roundedPlays(
  { db }: Pick<Ctx, 'db'>,
  { id, creatorId }: Pick<CountedShow, 'id' | 'creatorId'>,
): Promise<number> {
  const { listens, downloads } = listeningDays;
  const [row] = await db
    .select({ plays: sql<number>`coalesce(sum(${listens} + ${downloads}), 0)::float8` })
    .from(listeningDays)
    .where(and(eq(listeningDays.creatorId, creatorId), eq(listeningDays.productId, id)));
  return roundDown(row?.plays ?? 0);
}

/** Two digits remain, and below 100 only tens: 1,299 → 1,200, 34 → 30. */
export function roundDown(plays: number): number {
  const step = Math.max(10, 10 ** (Math.floor(Math.log10(Math.max(plays, 1))) - 1));
  return Math.floor(plays / step) * step;
}
