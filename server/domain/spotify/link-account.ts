import { and, eq } from 'drizzle-orm';
import { spotifyLinks } from '~/db/schema/spotify';
import type { OpenAccess } from '../../adapters/spotify/port';
import { SPOTIFY_CALLBACK_PATH } from '../../base/account-paths';
import { AppError } from '../../base/errors';
import { later } from '../../base/time';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';
import { requireUser } from '../../policy/actor';
import { syncEntitlements, unlinkUser } from '../../queue/jobs/spotify';
import { type Ctx, transact, violates } from '../../runtime/ctx';
import { keepAttempt, randomSecret, takeAttempt } from '../accounts/logins/login-attempts';
import { accessDenied, linkBusy, linkedElsewhere, linkingExpired, spotifyNotOffered } from './errors';
import { isFree, type LinkRow, listEntitled, lookupLink, partnerUserIdOf } from './queries';
import { toSpotifyError } from './rules';
import type { FinishLinking } from './schema';

/**
 * Begins to link the current user's account with Spotify. The attempt belongs to this session, and works once.
 * @returns the page at Spotify on which the person agrees
 * @throws spotify.not_offered
 */
export async function startLinking(ctx: Ctx): Promise<{ url: string }> {
  const { userId, sessionId } = requireUser(ctx);
  const openAccess = requireOpenAccess(ctx);
  const state = randomSecret();
  const key = { key: keyOf(state, sessionId), purpose: 'spotify_link' as const };
  await keepAttempt(ctx, key, { userId, facts: {}, lifetime: SPOTIFY_LINK_LIMITS.attempt });
  return { url: openAccess.authorizeUrl({ state, redirectUri: ctx.urls.app(SPOTIFY_CALLBACK_PATH) }) };
}

const keyOf = (state: string, sessionId: string) => `${state} ${sessionId}`;

/** @throws spotify.not_offered */
export function requireOpenAccess({ ports }: Pick<Ctx, 'ports'>): OpenAccess {
  if (!ports.spotify.openAccess) throw spotifyNotOffered();
  return ports.spotify.openAccess;
}

/**
 * Processes Spotify's answer. The row comes first, so that of two users with one Spotify account only one is registered,
 * and so that the nightly comparison finds a link whose process was killed.
 * @returns the page at Spotify that completes the link
 * @throws spotify.linking_expired, spotify.access_denied, spotify.linked_elsewhere, spotify.link_busy, spotify.away,
 * spotify.malformed_authentication
 */
export async function finishLinking(ctx: Ctx, { state, code, error }: FinishLinking): Promise<{ url: string }> {
  const { userId, sessionId } = requireUser(ctx);
  const openAccess = requireOpenAccess(ctx);
  const attempt = await takeAttempt(ctx, keyOf(state, sessionId), 'spotify_link').catch(asExpired);
  if (attempt.userId !== userId) throw linkingExpired();
  if (error !== undefined || code === undefined) throw accessDenied();
  const redirectUri = ctx.urls.app(SPOTIFY_CALLBACK_PATH);
  const { token, account } = await openAccess.identify({ code, redirectUri }).catch(asOurs);
  const former = await lookupLink(ctx, userId);
  const accountKey = ctx.vault.fingerprint(account.id, 'spotify account');
  const link = await reserveLink(ctx, { userId, accountKey, accountName: account.name });
  try {
    const { entitlements } = await listEntitled(ctx, userId);
    const { partnerUserId } = link;
    await ctx.reach('spotify.register');
    const { completionUrl } = await openAccess.registerUser(token, { partnerUserId, entitlements });
    await ctx.reach('spotify.registered');
    if (!(await storeLink(ctx, link, entitlements))) throw linkingExpired();
    return { url: completionUrl };
  } catch (failure) {
    await restoreLink(ctx, link, former);
    throw toSpotifyError(failure);
  }
}

function asExpired(error: unknown): never {
  throw error instanceof AppError && error.code === 'identity.expired' ? linkingExpired() : error;
}

function asOurs(error: unknown): never {
  throw toSpotifyError(error);
}

type NewLink = { userId: number; accountKey: string; accountName: string | null };

async function reserveLink(ctx: Ctx, { userId, ...account }: NewLink): Promise<LinkRow> {
  const now = ctx.now();
  const facts = {
    ...{ ...account, partnerUserId: partnerUserIdOf(ctx, userId), state: 'linking' as const },
    ...{ leasedUntil: later(now, SPOTIFY_LINK_LIMITS.lease), updatedAt: now },
  };
  try {
    const [row] = await ctx.db
      .insert(spotifyLinks)
      .values({ userId, ...facts, createdAt: now })
      .onConflictDoUpdate({ target: spotifyLinks.userId, set: facts, setWhere: isFree(now) })
      .returning();
    if (!row) throw linkBusy();
    return row;
  } catch (error) {
    throw violates(error, 'spotify_links_account_once') ? linkedElsewhere() : error;
  }
}

/** Ending a link removes its account. */
const isKept = ({ userId, accountKey }: LinkRow) =>
  and(eq(spotifyLinks.userId, userId), eq(spotifyLinks.accountKey, accountKey!));

/**
 * A purchase that committed meanwhile has read the former state: a job compares once the link is complete.
 * @returns false if the person has ended the link meanwhile: then a job ends it at Spotify, too
 */
async function storeLink(ctx: Ctx, link: LinkRow, entitlements: string[]): Promise<boolean> {
  const now = ctx.now();
  const { userId, partnerUserId } = link;
  return transact(ctx, async (tx) => {
    const registered = { state: 'linked' as const, registeredAt: now, syncedAt: now, entitlements };
    const stored = await tx.db
      .update(spotifyLinks)
      .set({ ...registered, leasedUntil: null, updatedAt: now })
      .where(isKept(link))
      .returning({ userId: spotifyLinks.userId });
    const isStored = stored.length > 0;
    if (isStored)
      await tx.jobs.enqueue(syncEntitlements, { userId }, { at: later(now, SPOTIFY_LINK_LIMITS.completed) });
    else await tx.jobs.enqueue(unlinkUser, { partnerUserId });
    return isStored;
  });
}

/** Spotify has refused, or did not answer: a former link stays as it was, unless the person has ended it meanwhile. */
async function restoreLink(ctx: Ctx, link: LinkRow, former: LinkRow | null): Promise<void> {
  const kept = former?.state === 'linked' ? former : null;
  const state = kept ? ('linked' as const) : ('unlinked' as const);
  await ctx.db
    .update(spotifyLinks)
    .set({ state, accountKey: kept?.accountKey ?? null, accountName: kept?.accountName ?? null, leasedUntil: null })
    .where(isKept(link));
}
