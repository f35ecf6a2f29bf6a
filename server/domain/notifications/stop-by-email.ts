import { and, eq, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { products } from '~/db/schema/products';
import { withTag } from '../../base/addresses';
import { type Ctx, transact } from '../../runtime/ctx';
import { addressTag, readAddressTag } from './address-tags';
import { optOut } from './unsubscribe';

const KIND = { letter: 'e', purpose: 'stop emails about new episodes by email' };

type Listener = { userId: number; productId: number };

/**
 * The link in the header of an email about a new episode with which email apps unsubscribe by email (RFC 2369); undefined
 * if nobody reads it. It names the account, because the ids of emails are forgotten, and people open old ones.
 */
export function stopMailto(ctx: Pick<Ctx, 'vault' | 'ports'>, { userId, productId }: Listener): string | undefined {
  const { bounceAddress } = ctx.ports.mail;
  if (bounceAddress === null) return undefined;
  return `mailto:${withTag(bounceAddress, addressTag(ctx, [userId, productId], KIND))}?subject=unsubscribe`;
}

/**
 * Ends the emails about new episodes of a show to the account that an address names, whoever has written to it: nobody
 * else knows the address. Repeating it succeeds. @returns false for any other address
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
