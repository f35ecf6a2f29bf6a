import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { TxCtx } from '../../ctx';
import { publicExceedsPrivate } from './errors';
import { countPublished, type EpisodeRow } from './queries';
import { isBalanced } from './rules';

type Candidate = Pick<EpisodeRow, 'productId' | 'type'>;

/** Call it after the change. @throws episode.public_exceeds_private if the product now has too many public episodes */
export async function assertBalanced(tx: TxCtx, { productId, type }: Candidate): Promise<void> {
  if (type !== 'public') return;
  const { isPaid, published } = await lockCounts(tx, productId);
  if (!isBalanced(isPaid, published)) throw publicExceedsPrivate();
}

/** Whether one more episode of this type may be published. */
export async function canPublishOneMore(tx: TxCtx, { productId, type }: Candidate): Promise<boolean> {
  if (type !== 'public') return true;
  const { isPaid, published } = await lockCounts(tx, productId);
  return isBalanced(isPaid, { ...published, public: published.public + 1 });
}

/**
 * Locks the product, so that two episodes published at once can't both count the same free place. Always lock the
 * episode first: the same order everywhere prevents deadlocks.
 */
async function lockCounts(tx: TxCtx, productId: number) {
  const price = { priceMinor: products.priceMinor };
  const [product] = await tx.db.select(price).from(products).where(eq(products.id, productId)).for('update');
  return { isPaid: (product?.priceMinor ?? null) !== null, published: await countPublished(tx, productId) };
}
