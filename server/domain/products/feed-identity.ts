import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { TxCtx } from '../../ctx';

/** The namespace that Podcasting 2.0 gives to podcasts: every host derives the same identity from one address. */
const PODCASTS = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');

/** Podcasting 2.0's identity of a feed: UUIDv5 of its address without scheme and without slashes at its end. */
export function feedGuidOf(address: string): string {
  const name = address.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '');
  const bytes = createHash('sha1').update(PODCASTS).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The identity of a new feed, for good: a random one where the address was another product's before. */
export async function newFeedGuid(tx: Pick<TxCtx, 'db'>, address: string): Promise<string> {
  const guid = feedGuidOf(address);
  const [taken] = await tx.db.select({ id: products.id }).from(products).where(eq(products.feedGuid, guid)).limit(1);
  return taken ? randomUUID() : guid;
}
