import { and, eq, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { products } from '~/db/schema/products';
import { type Ctx, transact } from '../../runtime/ctx';
import { readAddressTag, unsubscribeMailto } from './address-tags';
import { optOut } from './unsubscribe';

const KIND = { letter: 'e', purpose: 'stop emails about new episodes by email' };

type Listener = { userId: number; productId: number };

/**
 * For the header of an email about a new episode. It names the account, because rows of emails are deleted, and people
 * open old ones.
 */
export const stopMailto = (ctx: Pick<Ctx, 'vault' | 'ports'>, { userId, productId }: Listener): string | undefined =>
  unsubscribeMailto(ctx, [userId, productId], KIND);

/**
 * Ends the emails about new episodes of a show to the account that an address names. The sender of the message does not
 * matter, because only that person has the address. Repeating it succeeds. @returns false for any other address
 */
export async function stopByEmail(ctx: Ctx, address: string): Promise<boolean> {
  const [userId, productId] = readAddressTag(ctx, address, KIND) ?? [];
  if (userId === undefined || productId === undefined) return false;
  const [user] = await ctx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  const shows = await ctx.db.$count(products, eq(products.id, productId));
  if (user && shows > 0) await transact(ctx, (tx) => optOut(tx, user.email, [productId]));
  return true;
}
