import { hash } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { feedLinks } from '~/db/schema/feeds';
import type { Ctx, User } from '../../runtime/ctx';
import { isSignature } from '../notifications/signed-tokens';

const SIGNED_FOR = 'audio of a private feed';

type Signer = Pick<Ctx, 'vault'>;
type Signed = { linkId: number; episodeId: number };

/**
 * The part that a private feed adds to the addresses of one episode's files, so that they work for its listener without
 * a login.
 */
export const feedAccess = (ctx: Signer, { linkId, episodeId }: Signed): string => feedSigner(ctx, linkId)(episodeId);

/**
 * `feedAccess` for many episodes of a link. Each link has a key, and a keyed hash signs an episode in a third of the
 * time of an HMAC. Unlike SHA-256 hashes, SHA-512/256 hashes can't be extended without the key.
 */
export function feedSigner({ vault }: Signer, linkId: number): (episodeId: number) => string {
  const key = vault.fingerprint(String(linkId), SIGNED_FOR);
  return (episodeId) => `${linkId}-${hash('sha512-256', `${key} ${episodeId}`, 'base64url')}`;
}

/**
 * The listener whose private feed an episode's address comes from; null if it was forged or the feed's address has been
 * replaced. Their access to the episode is checked as for other users, so the address stops working when their access
 * ends.
 */
export async function lookupFeedListener(
  ctx: Signer & Pick<Ctx, 'db'>,
  access: string,
  episodeId: number,
): Promise<User | null> {
  const linkId = linkOfAccess(ctx, access, episodeId);
  if (linkId === null) return null;
  const [link] = await ctx.db
    .select({ userId: feedLinks.userId })
    .from(feedLinks)
    .where(and(eq(feedLinks.id, linkId), isNull(feedLinks.replacedAt)));
  return link ? asListener(link.userId) : null;
}

/** The link that signed an episode's address, without a check whether the link still works; null if it was forged. */
export function linkOfAccess(ctx: Signer, access: string, episodeId: number): number | null {
  const [, id] = /^([1-9]\d{0,14})-[\w-]{43}$/.exec(access) ?? [];
  if (id === undefined) return null;
  const linkId = Number(id);
  return isSignature(access, feedAccess(ctx, { linkId, episodeId })) ? linkId : null;
}

/** A user with a listener's rights only: their rights as a creator open nothing in a feed. */
export const asListener = (userId: number): User => ({
  type: 'user',
  userId,
  creatorId: null,
  role: 'owner',
  sessionId: '',
});
