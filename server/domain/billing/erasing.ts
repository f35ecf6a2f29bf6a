import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards } from '~/db/schema/checkouts';
import { type Ctx, transact } from '../../ctx';

/**
 * When an account is deleted: what it bought stays as a record of money. Names, addresses and messages go, also of
 * donations with the same verified address; only a receipt with billing details keeps its buyer, as the law requires
 * (docs/decisions/0191). Repeating it is harmless.
 */
export async function erasePayments(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const address = ctx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  const isOwnSale = or(eq(sales.userId, userId), and(isNull(sales.userId), inArray(sales.email, address)));
  const isOwn = or(eq(checkouts.userId, userId), and(isNull(checkouts.userId), inArray(checkouts.email, address)));
  await transact(ctx, async (tx) => {
    await tx.db.update(sales).set({ email: null, buyer: WITHOUT_NAME, updatedAt: tx.now() }).where(isOwnSale);
    // an open one may still be paid; otherwise it is swept (sweeping.ts)
    await tx.db
      .update(checkouts)
      .set({ email: NO_ADDRESS, browserHash: null, terms: NOTHING_WRITTEN, updatedAt: tx.now() })
      .where(and(isOwn, ne(checkouts.status, 'open')));
    await tx.db.update(subscriptions).set({ leavingReason: null }).where(eq(subscriptions.userId, userId));
    await tx.db.delete(paymentCards).where(eq(paymentCards.userId, userId));
  });
}

const hasDetail = (name: 'street' | 'taxNumber') => sql`coalesce(${sales.buyer} ->> ${name}, '') <> ''`;
const WITHOUT_NAME = sql`case when ${hasDetail('street')} or ${hasDetail('taxNumber')} then ${sales.buyer} else ${sales.buyer} || '{"name": ""}' end`;
const NOTHING_WRITTEN = sql`${checkouts.terms} - 'donation' - 'gift'`;
/** Every checkout has an account or an address, and an empty one is nobody's. */
const NO_ADDRESS = sql`case when ${checkouts.userId} is null then '' end`;
