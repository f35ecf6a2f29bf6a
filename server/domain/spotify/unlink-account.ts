import { and, eq, ne } from 'drizzle-orm';
import { spotifyLinks } from '~/db/schema/spotify';
import { SpotifyRejected } from '../../base/errors';
import { later } from '../../base/time';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';
import { requireUser } from '../../policy/actor';
import { unlinkUser } from '../../queue/jobs/spotify';
import { type Ctx, transact } from '../../runtime/ctx';
import { listenerCalls, nextAttempt } from './pause-calls';
import { takeLease } from './queries';
import { isUnknownThere } from './rules';

/** Ends the link of the current user's account. A job tells Spotify. Repeating it is harmless. */
export async function unlinkAccount(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    const [ended] = await tx.db
      .update(spotifyLinks)
      .set({ state: 'unlinked', ...NOTHING_LINKED, updatedAt: tx.now() })
      .where(and(eq(spotifyLinks.userId, userId), ne(spotifyLinks.state, 'unlinked')))
      .returning({ partnerUserId: spotifyLinks.partnerUserId });
    if (ended) await tx.jobs.enqueue(unlinkUser, ended);
  });
}

/** What remains of a link that has ended: the user's id for Spotify, which never changes. */
export const NOTHING_LINKED = {
  ...{ accountKey: null, accountName: null, registeredAt: null, syncedAt: null, endsAt: null },
  entitlements: [],
};

/** Deletes the link of an account that is deleted; Spotify ends its side. Repeating it is harmless. */
export async function eraseLink(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const ended = await tx.db
      .delete(spotifyLinks)
      .where(eq(spotifyLinks.userId, userId))
      .returning({ partnerUserId: spotifyLinks.partnerUserId });
    for (const link of ended) await tx.jobs.enqueue(unlinkUser, link);
  });
}

type Unlinked = { partnerUserId: string; attempt?: number };

/** Tells Spotify that a link has ended, unless the user has linked an account again. */
export async function tellUnlinked(ctx: Ctx, { partnerUserId, attempt = 0 }: Unlinked): Promise<void> {
  const calls = listenerCalls(ctx, { isFirst: attempt === 0 });
  if (!calls) return;
  const own = eq(spotifyLinks.partnerUserId, partnerUserId);
  const [link] = await ctx.db.select().from(spotifyLinks).where(own);
  if (link && link.state !== 'unlinked') return;
  if (link && !(await takeLease(ctx, link.userId, ['unlinked'])))
    return tellLater(ctx, { partnerUserId, attempt }, later(ctx.now(), SPOTIFY_LINK_LIMITS.busy));
  try {
    await calls.unlinkUser(partnerUserId);
  } catch (error) {
    const again = nextAttempt(ctx, error, attempt);
    if (again) return tellLater(ctx, { partnerUserId, attempt: again.attempt }, again.at);
    if (!(error instanceof SpotifyRejected)) throw error;
    if (!isUnknownThere(error)) ctx.log.warn({ err: error }, 'Spotify did not end a link');
  } finally {
    await ctx.db.update(spotifyLinks).set({ leasedUntil: null }).where(own);
  }
}

async function tellLater(ctx: Ctx, payload: Required<Unlinked>, at: Date): Promise<void> {
  await transact(ctx, (tx) => tx.jobs.enqueue(unlinkUser, payload, { at }));
}
