import { and, eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { type Allowed, authorize, may } from '../../policy/authorize';
import { actorInQuery, whereGranted } from '../../policy/visibility';
import { reviewRecommendations } from '../../queue/jobs/recommendations';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { recordAbout } from '../team/activity';
import { productNotFound, productTakenDown } from './errors';
import { markProductChanged } from './mark-product-changed';
import { lockProduct } from './price-product';
import { findProductRecord, type ProductRow } from './queries';
import type { FindProduct } from './schema';

/**
 * Hides a product from everyone but its team and listeners with a valid grant. Nothing is deleted, and the address
 * stays taken (docs/decisions/0142). Repeating it keeps the first date. Only the owner archives a paid show, which is no
 * longer sold. @throws common.role_not_allowed
 */
export async function archiveProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  authorize(ctx, 'product.manage', product);
  await transact(ctx, async (tx) => {
    const row = await lockProduct(tx, product.id);
    if (!row) throw productNotFound();
    const own = authorize(tx, 'product.manage', row);
    if (row.priceMinor !== null) authorize(tx, 'product.price', row);
    await setArchived(tx, own, row.archivedAt ?? tx.now());
  });
}

/** Shows an archived product to all visitors again, at its former address. @throws product.taken_down */
export async function unarchiveProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.manage', product);
  if (own.takenDownAt) throw productTakenDown();
  await transact(ctx, (tx) => setArchived(tx, own, null));
}

async function setArchived(tx: TxCtx, product: Allowed<'product.manage', ProductRow>, archivedAt: Date | null) {
  await tx.db.update(products).set({ archivedAt, updatedAt: tx.now() }).where(eq(products.id, product.id));
  await recordAbout(tx, archivedAt ? 'product.archived' : 'product.unarchived', product);
  await markProductChanged(tx, product.id);
  await markCreatorChanged(tx, product.creatorId);
  if (archivedAt) await tx.jobs.enqueue(reviewRecommendations, { productId: product.id });
}

/**
 * @throws product.not_found for an archived product, except for its team and listeners with a valid grant; for a
 * product that is taken down, except for its team
 */
export async function assertProductShown(ctx: Ctx, product: ProductRow): Promise<void> {
  const { archivedAt, takenDownAt } = product;
  if ((archivedAt === null && takenDownAt === null) || may(ctx, 'product.read', product)) return;
  if (takenDownAt !== null) throw productNotFound();
  const opened = and(eq(products.id, product.id), whereGranted(actorInQuery(ctx)));
  if ((await ctx.db.$count(products, opened)) === 0) throw productNotFound();
}
