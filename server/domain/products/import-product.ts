import { eq, sql } from 'drizzle-orm';
import { formerProductSlugs, products } from '~/db/schema/products';
import { claimSlug } from '~/db/slug-history';
import type { Allowed } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { findCreator } from '../creators/queries';
import { requireRoomForProduct } from '../plans/quotas';
import { newFeedGuid } from './feed-identity';
import { markProductChanged } from './mark-product-changed';
import { freeSlug } from './product-slugs';
import type { ProductRow } from './queries';
import { FREE_PRICES } from './rules';

type Columns = typeof products.$inferInsert;
type FeedColumns = Pick<Columns, 'name' | 'description' | 'category' | 'language' | 'explicit' | 'complete'> &
  Pick<Columns, 'author' | 'copyright' | 'fundingUrl' | 'fundingText' | 'ownerName' | 'ownerEmail'> & {
    ownerEmailVerifiedAt?: Date | null;
  };
type NewShow = FeedColumns & { coverKey: string; feedGuid: string };

/**
 * Creates a free podcast from another host's feed, with that feed's GUID: podcast apps know the show by it. If another
 * show has the GUID, this one gets a new one. Its first episode is not celebrated as a first publish. @throws
 * plan.max_free_products
 */
export async function insertImportedProduct(
  tx: TxCtx,
  { creatorId, ...show }: NewShow & { creatorId: number },
): Promise<number> {
  await requireRoomForProduct(tx, { creatorId, isPaid: false });
  // locks the creator, so that the slug is still free when the row is inserted
  await markCreatorChanged(tx, creatorId);
  const slug = await freeSlug(tx, creatorId, show.name);
  const { domain, userId } = await findCreator(tx, creatorId);
  const { currency } = await findUser(tx, userId);
  const feedGuid = await unusedGuid(tx, show.feedGuid, tx.urls.feed(domain, slug));
  const [row] = await tx.db
    .insert(products)
    .values({
      ...show,
      ...FREE_PRICES,
      ...{ creatorId, slug, currency, feedGuid },
      kind: 'podcast',
      changedAt: tx.now(),
      firstPublishSeenAt: tx.now(),
    })
    .returning({ id: products.id });
  await claimSlug(tx.db, formerProductSlugs, { scopeId: creatorId, slug });
  return row!.id;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function unusedGuid(tx: TxCtx, wanted: string, address: string): Promise<string> {
  if (!UUID.test(wanted)) return newFeedGuid(tx, address);
  const [taken] = await tx.db.select({ id: products.id }).from(products).where(eq(products.feedGuid, wanted)).limit(1);
  return taken ? newFeedGuid(tx, address) : wanted;
}

/**
 * Updates the show after another import of the same feed: the feed's values win. Slug, prices and settings stay, and so
 * does a cover that the creator has set since the product was read.
 */
export async function updateImportedProduct(
  tx: TxCtx,
  product: Allowed<'product.manage', Pick<ProductRow, 'id' | 'creatorId' | 'coverKey'>>,
  show: FeedColumns & { coverKey: string },
): Promise<void> {
  const { ownerEmail: _, ownerEmailVerifiedAt: __, coverKey, ...changes } = show;
  const isUnchanged = eq(products.coverKey, product.coverKey);
  await tx.db
    .update(products)
    .set({
      ...changes,
      coverKey: sql`case when ${isUnchanged} then ${coverKey} else ${products.coverKey} end`,
      updatedAt: tx.now(),
    })
    .where(eq(products.id, product.id));
  await markProductChanged(tx, product.id);
  await markCreatorChanged(tx, product.creatorId);
}

/** The row of a show for a job; null if it was deleted. */
export async function lookupImportedProduct(ctx: Pick<Ctx, 'db'>, id: number): Promise<ProductRow | null> {
  const [row] = await ctx.db.select().from(products).where(eq(products.id, id));
  return row && row.retiredAt === null ? row : null;
}
