import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { deriveFeedGuid } from '../../feed/guids';
import type { TxCtx } from '../../runtime/ctx';

/** The permanent GUID of a new feed: derived from its address, or random if a former product has that GUID. */
export async function newFeedGuid(tx: Pick<TxCtx, 'db'>, address: string): Promise<string> {
  const guid = deriveFeedGuid(address);
  const [taken] = await tx.db.select({ id: products.id }).from(products).where(eq(products.feedGuid, guid)).limit(1);
  return taken ? randomUUID() : guid;
}
