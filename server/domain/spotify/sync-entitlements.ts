import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { spotifyLinks } from '~/db/schema/spotify';
import { SpotifyRejected } from '../../base/errors';
import { later } from '../../base/time';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';
import { syncEntitlements as syncJob } from '../../queue/jobs/spotify';
import { type Ctx, transact } from '../../runtime/ctx';
import { listenerCalls, nextAttempt } from './pause-calls';
import { type LinkRow, listEntitled, lookupLink, takeLease } from './queries';
import { areSame, isUnknownThere, mayStillComplete } from './rules';
import { NOTHING_LINKED } from './unlink-account';

type Sync = { userId: number; attempt?: number; isNightly?: boolean };

/**
 * Replaces a listener's entitlements at Spotify, if they have changed; at night, if Spotify's differ. One process at a
 * time does it, so that an older list can't arrive after a newer one. While Spotify is away, later attempts follow
 * (pause-calls.ts); if it does not know the listener, the link has ended.
 */
export async function syncEntitlements(ctx: Ctx, { userId, attempt = 0, isNightly = false }: Sync): Promise<void> {
  const calls = listenerCalls(ctx, { isFirst: attempt === 0 });
  if (!calls) return;
  const link = await takeLease(ctx, userId, ['linked', 'linking']);
  if (!link) return waitForLease(ctx, { userId, attempt, isNightly });
  const changes = await exchange(ctx, calls, { link, isNightly }).catch(async (error) => {
    const again = nextAttempt(ctx, error, attempt);
    if (again) return { again };
    if (isUnknownThere(error)) return afterUnknown(ctx, link);
    if (!(error instanceof SpotifyRejected)) {
      await ctx.db.update(spotifyLinks).set({ leasedUntil: null }).where(eq(spotifyLinks.userId, userId));
      throw error;
    }
    ctx.log.warn({ err: error, userId }, 'Spotify rejected the entitlements of a listener');
    return {};
  });
  await store(ctx, { link, isNightly, ...changes });
}

type Changes = {
  set?: Partial<LinkRow>;
  /** When another job runs. */
  again?: { at: Date; attempt: number };
};
type Exchange = { link: LinkRow; isNightly: boolean };
type Calls = NonNullable<ReturnType<typeof listenerCalls>>;

async function exchange(ctx: Ctx, calls: Calls, { link, isNightly }: Exchange): Promise<Changes> {
  const { partnerUserId } = link;
  const asks = isNightly || link.state === 'linking' || link.syncedAt === null;
  const known = asks ? await calls.listEntitlements(partnerUserId) : link.entitlements;
  const { entitlements, until: endsAt } = await listEntitled(ctx, link.userId);
  await ctx.reach('spotify.replace');
  if (!areSame(known, entitlements)) await calls.replaceEntitlements({ partnerUserId, entitlements });
  const registeredAt = link.registeredAt ?? ctx.now();
  return { set: { state: 'linked', entitlements, syncedAt: ctx.now(), registeredAt, endsAt } };
}

/** Until the person has completed the link, Spotify does not know it; later, it has ended. */
function afterUnknown(ctx: Ctx, link: LinkRow): Changes {
  const now = ctx.now();
  if (mayStillComplete(link, now)) return { again: { at: later(now, SPOTIFY_LINK_LIMITS.completing), attempt: 0 } };
  return { set: { state: 'unlinked', ...NOTHING_LINKED } };
}

type Stored = Changes & Exchange;

async function store(ctx: Ctx, { link, isNightly, set = {}, again }: Stored): Promise<void> {
  const { userId } = link;
  await transact(ctx, async (tx) => {
    // the person may have ended the link while we waited for Spotify
    const running = and(eq(spotifyLinks.userId, userId), inArray(spotifyLinks.state, ['linked', 'linking']));
    await tx.db
      .update(spotifyLinks)
      .set({ ...set, updatedAt: tx.now() })
      .where(running);
    await tx.db.update(spotifyLinks).set({ leasedUntil: null }).where(eq(spotifyLinks.userId, userId));
    if (again) await tx.jobs.enqueue(syncJob, { userId, attempt: again.attempt, isNightly }, { at: again.at });
    // nothing else happens when a grant ends by itself
    const ends = set.endsAt;
    if (ends && ends.getTime() !== link.endsAt?.getTime()) await tx.jobs.enqueue(syncJob, { userId }, { at: ends });
  });
}

async function waitForLease(ctx: Ctx, payload: Required<Sync>): Promise<void> {
  const link = await lookupLink(ctx, payload.userId);
  if (!link || link.state === 'unlinked') return;
  const at = later(ctx.now(), SPOTIFY_LINK_LIMITS.busy);
  await transact(ctx, (tx) => tx.jobs.enqueue(syncJob, payload, { at }));
}

/** Users with a link, in the order of their ids, as many as a job can enqueue. */
export async function listLinked({ db }: Pick<Ctx, 'db'>, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .select({ userId: spotifyLinks.userId })
    .from(spotifyLinks)
    .where(and(gt(spotifyLinks.userId, after), inArray(spotifyLinks.state, ['linked', 'linking'])))
    .orderBy(asc(spotifyLinks.userId))
    .limit(limit);
  return rows.map(({ userId }) => userId);
}
