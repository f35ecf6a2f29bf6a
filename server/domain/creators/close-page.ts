import { and, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { wherePaidFor } from '../../policy/visibility';
import { type Ctx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from './mark-creator-changed';
import { lookupCreatorOfUser } from './queries';

/**
 * Closes the page of a user whose account is deleted. Its row stays, because it keeps all its domains from being
 * claimed again. The name stays only on shows that have buyers. Repeating it is harmless.
 */
export async function closeCreatorPage(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const creator = await lookupCreatorOfUser(ctx, userId);
  if (!creator) return;
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const isPaidFor = (await tx.db.$count(products, and(eq(products.creatorId, creator.id), wherePaidFor(now)))) > 0;
    await tx.db
      .update(creators)
      .set({
        ...NOTHING_PERSONAL,
        name: isPaidFor ? creator.name : '',
        closedAt: creator.closedAt ?? now,
        updatedAt: now,
      })
      .where(eq(creators.id, creator.id));
    await markCreatorChanged(tx, creator.id);
  });
}

const NOTHING_PERSONAL = {
  avatarKey: null,
  aboutTitle: null,
  aboutText: null,
  ctaTitle: null,
  ctaText: null,
  ctaButton: null,
  ctaUrl: null,
  testimonials: [],
  links: [],
  donationText: null,
  username: null,
  timeZone: 'UTC',
};
