import { and, eq, lte } from 'drizzle-orm';
import { spotifyOutages } from '~/db/schema/spotify';
import type { SpotifyService } from '~/db/values/spotify';
import type { OpenAccess, SpotifyDelivery } from '../../adapters/spotify/port';
import { SpotifyAway, SpotifyRejected } from '../../base/errors';
import { later } from '../../base/time';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';
import type { Ctx } from '../../runtime/ctx';
import { outagePause, pauseBefore } from './rules';

/** A service is away, and its pause has not ended: the call was not made. */
export class SpotifyPaused extends Error {
  override name = 'SpotifyPaused';
  constructor(readonly until: Date) {
    super(`Spotify is away until ${until.toISOString()}`);
  }
}

type Attempt = { isFirst: boolean };
type ListenerCalls = Pick<OpenAccess, 'listEntitlements' | 'replaceEntitlements' | 'unlinkUser'>;

/**
 * The calls of jobs about listeners; null without a contract. While Spotify is away, one job tries after each pause, and
 * all others wait without a call. `isFirst`: only a job's first failure in a row says something about the service, until it
 * counts as away. Every call throws SpotifyPaused, and what the port throws.
 */
export function listenerCalls(ctx: Ctx, { isFirst }: Attempt): ListenerCalls | null {
  const { openAccess } = ctx.ports.spotify;
  if (!openAccess) return null;
  const call = <T>(work: () => Promise<T>) => callUnlessPaused(ctx, { service: 'open_access', isFirst }, work);
  return {
    listEntitlements: (id) => call(() => openAccess.listEntitlements(id)),
    replaceEntitlements: (user) => call(() => openAccess.replaceEntitlements(user)),
    unlinkUser: (id) => call(() => openAccess.unlinkUser(id)),
  };
}

/** The same for deliveries; null without access to them. */
export function deliveryCalls(ctx: Ctx, { isFirst }: Attempt): SpotifyDelivery | null {
  const { delivery } = ctx.ports.spotify;
  if (!delivery) return null;
  const call = <T>(work: () => Promise<T>) => callUnlessPaused(ctx, { service: 'delivery', isFirst }, work);
  return {
    submit: (feed) => call(() => delivery.submit(feed)),
    status: (uri) => call(() => delivery.status(uri)),
    remove: (uri) => call(() => delivery.remove(uri)),
  };
}

/** When a job runs again whose call was not made, or failed because Spotify is away; null for other errors. */
export function nextAttempt(ctx: Pick<Ctx, 'now'>, error: unknown, attempt: number) {
  if (error instanceof SpotifyPaused) return { at: error.until, attempt };
  if (!(error instanceof SpotifyAway)) return null;
  return { at: later(ctx.now(), pauseBefore(attempt, error)), attempt: attempt + 1 };
}

/**
 * When the jobs that only compare go on; null if the service answers, or if nobody has tried for so long after a pause that
 * one of them has to.
 */
export async function lookupPause(ctx: Pick<Ctx, 'db' | 'now'>, service: SpotifyService): Promise<Date | null> {
  const outage = await lookupOutage(ctx, service);
  const until = outage?.retryAt ? later(outage.retryAt, SPOTIFY_LINK_LIMITS.lease) : null;
  return until !== null && until > ctx.now() ? until : null;
}

type Outage = typeof spotifyOutages.$inferSelect;

async function lookupOutage({ db }: Pick<Ctx, 'db'>, service: SpotifyService): Promise<Outage | null> {
  const [row] = await db.select().from(spotifyOutages).where(eq(spotifyOutages.service, service));
  return row ?? null;
}

type Called = Attempt & { service: SpotifyService };

async function callUnlessPaused<T>(ctx: Ctx, { service, isFirst }: Called, work: () => Promise<T>): Promise<T> {
  const outage = await lookupOutage(ctx, service);
  if (outage?.retryAt) await waitOrTry(ctx, outage, outage.retryAt);
  try {
    const answer = await work();
    if (outage) await endOutage(ctx, outage);
    return answer;
  } catch (error) {
    const counts = isFirst || outage?.retryAt || (error instanceof SpotifyAway && error.retryAfterSeconds !== null);
    if (error instanceof SpotifyAway && counts)
      await noteFailure(ctx, { service, failures: outage?.failures ?? 0 }, error);
    // a refusal is an answer, too
    if (error instanceof SpotifyRejected && outage) await endOutage(ctx, outage);
    throw error;
  }
}

/** Of the jobs that come after a pause, the first one tries. If its process is killed, another one does a minute later. */
async function waitOrTry(ctx: Ctx, { service }: Outage, retryAt: Date): Promise<void> {
  const now = ctx.now();
  if (retryAt > now) throw new SpotifyPaused(retryAt);
  const until = later(now, SPOTIFY_LINK_LIMITS.lease);
  const taken = await ctx.db
    .update(spotifyOutages)
    .set({ retryAt: until, updatedAt: now })
    .where(and(eq(spotifyOutages.service, service), lte(spotifyOutages.retryAt, now)))
    .returning({ service: spotifyOutages.service });
  if (taken.length === 0) throw new SpotifyPaused(until);
}

/** An answer to a call that began before the last failure says nothing about it. */
const isSame = ({ service, failures }: Pick<Outage, 'service' | 'failures'>) =>
  and(eq(spotifyOutages.service, service), eq(spotifyOutages.failures, failures));

async function endOutage(ctx: Ctx, outage: Outage): Promise<void> {
  await ctx.db.delete(spotifyOutages).where(isSame(outage));
  if (outage.retryAt) ctx.log.info({ service: outage.service, since: outage.createdAt }, 'Spotify answers again');
}

/** Failures at the same moment count as one. */
async function noteFailure(ctx: Ctx, before: Pick<Outage, 'service' | 'failures'>, away: SpotifyAway): Promise<void> {
  const now = ctx.now();
  const failures = before.failures + 1;
  const pause = outagePause(failures, away);
  const facts = { failures, retryAt: pause === null ? null : later(now, pause), updatedAt: now };
  if (before.failures === 0)
    await ctx.db
      .insert(spotifyOutages)
      .values({ service: before.service, ...facts, createdAt: now })
      .onConflictDoNothing();
  else await ctx.db.update(spotifyOutages).set(facts).where(isSame(before));
  if (pause !== null) ctx.log.warn({ err: away, service: before.service, until: facts.retryAt }, 'Spotify is away');
}
