import { and, eq, inArray, not, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { wherePaidFor } from '../../policy/visibility';
import { type Ctx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';

/**
 * Retires the shows of a user whose account is deleted, and removes their texts. Shows with buyers lose only the
 * address of their feed's owner. The rows keep the slugs. Repeating it is harmless.
 */
export async function eraseUnsoldProducts(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const owner = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await transact(ctx, async (tx) => {
    await tx.db.update(products).set(NO_OWNER).where(inArray(products.creatorId, owner));
    const erased = await tx.db
      .update(products)
      .set({ ...NO_TEXTS, retiredAt: sql`coalesce(${products.retiredAt}, ${tx.now().toISOString()}::timestamptz)` })
      .where(and(inArray(products.creatorId, owner), not(wherePaidFor(ctx.now()))))
      .returning({ creatorId: products.creatorId });
    // every cached page and feed of a show also depends on its creator
    if (erased[0]) await markCreatorChanged(tx, erased[0].creatorId);
  });
}

const NO_OWNER = { ownerName: '', ownerEmail: null, ownerEmailVerifiedAt: null } as const;

const NO_TEXTS = {
  ...NO_OWNER,
  name: '',
  description: '',
  coverKey: '',
  welcomeMessage: '',
  subscriberEmailMessage: '',
  author: '',
  copyright: '',
  fundingUrl: null,
  fundingText: '',
  spotifyShowUrl: null,
  listings: {},
  benefits: [],
};
