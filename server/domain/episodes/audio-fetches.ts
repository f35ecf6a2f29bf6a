import { randomBytes } from 'node:crypto';
import { and, asc, count, eq, gt, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { audioFetches } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { AppError } from '../../base/errors';
import { later, MINUTES, wholeSeconds } from '../../base/time';
import { AUDIO_FETCH_LIMITS } from '../../limits/episodes';
import { AUDIO_LIMITS } from '../../limits/media';
import { requireUser } from '../../policy/actor';
import { whereKept } from '../../policy/visibility';
import { fetchAudio } from '../../queue/jobs/episodes';
import { removeObjects } from '../../queue/jobs/media';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { hasVerifiedEmail } from '../accounts/logins/verify-email';
import { fileNameOf, unsupportedFormat } from '../media/download-audio';
import { withField } from '../media/errors';
import { incomingKey } from '../media/rules';
import { assertDiskSpace } from '../media/uploads';
import { requireSwitch } from '../reference/switches';
import { addressOfOtherFormat, beingFetched, tooManyFetches } from './errors';
import { chooseFetches } from './rules';

export type FetchRow = typeof audioFetches.$inferSelect;
/** An address whose file will be at an upload's key. */
export type AudioAddress = { key: string; fileName: string; url: string };

/** An arbitrary number: downloads of all processes share the places. */
const PLACES_LOCK = 150_017;

/**
 * The address of audio at another host, which the fetcher checks again when it connects.
 * @throws fetch.address_invalid, fetch.address_private, fetch.port_forbidden, episode.audio_format, upload.disk_full,
 * switch.off
 */
export async function findAddress(ctx: Ctx, url: string): Promise<AudioAddress> {
  const { userId, creatorId } = requireUser(ctx);
  await requireSwitch(ctx, 'uploads', { subject: userId, creatorId });
  await ctx.ports.fetcher.checkAddress(url).catch((error) => {
    throw error instanceof AppError ? withField(error, 'audioUrl') : error;
  });
  const format = unsupportedFormat(url, ctx.settings);
  if (format) throw addressOfOtherFormat({ format });
  await assertDiskSpace(ctx, await bytesOnTheirWay(ctx));
  return { key: randomBytes(16).toString('hex'), fileName: fileNameOf(url), url };
}

/** What the running downloads may still store. */
export async function bytesOnTheirWay({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  return (await db.$count(audioFetches, gt(audioFetches.leasedUntil, now()))) * AUDIO_LIMITS.maxBytes;
}

/** The fetch for which an episode waits; null without one. */
export async function lookupFetch({ db }: Pick<Ctx, 'db'>, episodeId: number): Promise<FetchRow | null> {
  const [row] = await db.select().from(audioFetches).where(eq(audioFetches.episodeId, episodeId));
  return row ?? null;
}

/** Whether the file of an upload is still on its way from another host. */
export async function isBeingFetched({ db }: Pick<Ctx, 'db'>, uploadKey: string): Promise<boolean> {
  return (await db.$count(audioFetches, eq(audioFetches.uploadKey, uploadKey))) > 0;
}

/** The audio of an episode that is being fetched from another host; null without any. */
export type FetchInRow = { host: string; uploadKey: string } | null;
/** As a column of a query from `episodes`. */
export const fetchInRow = sql<FetchInRow>`(
  select json_build_object('host', ${audioFetches.host}, 'uploadKey', ${audioFetches.uploadKey})
  from ${audioFetches} where ${audioFetches.episodeId} = ${episodes.id})`;

/** Whether no file of the episode is on its way. */
export const whereFetched = (): SQL =>
  sql`not exists (select from ${audioFetches} where ${eq(audioFetches.episodeId, episodes.id)})`;

/**
 * Has a file fetched, instead of the one that this episode waited for. Call it last: it takes the lock of the places.
 * @throws episode.too_many_fetches, episode.being_fetched
 */
export async function requestFetch(
  tx: TxCtx,
  episode: { id: number; creatorId: number },
  { key: uploadKey, url }: AudioAddress,
): Promise<void> {
  await lockPlaces(tx);
  await assertFetchesLeft(tx, episode);
  const former = await dropFetch(tx, episode.id);
  const now = tx.now();
  const { userId } = requireUser(tx);
  const fresh = { userId, uploadKey, url, host: new URL(url).hostname, dueAt: now, createdAt: now };
  // no job of the former fetch has the same step
  const step = former ? former.step + 1 : 0;
  await tx.db.insert(audioFetches).values({ episodeId: episode.id, creatorId: episode.creatorId, step, ...fresh });
  await startFetches(tx);
}

/** Most files take seconds. */
const FULL_FOR = wholeSeconds(MINUTES(1));

/** Deleted episodes count as well, because they can be restored. @throws episode.too_many_fetches */
async function assertFetchesLeft(tx: TxCtx, { id, creatorId }: { id: number; creatorId: number }): Promise<void> {
  const { open, openUnverified } = AUDIO_FETCH_LIMITS;
  const isOther = and(eq(audioFetches.creatorId, creatorId), ne(audioFetches.episodeId, id));
  const allowed = (await hasVerifiedEmail(tx)) ? open : openUnverified;
  const taken = await tx.db.$count(audioFetches, isOther);
  if (taken >= allowed) throw tooManyFetches({ count: taken, seconds: FULL_FOR });
}

/**
 * Another file replaces the one that waited. A running download is never replaced: it would continue without its place.
 * @returns null if none waited. @throws episode.being_fetched
 */
export async function dropFetch(tx: TxCtx, episodeId: number): Promise<FetchRow | null> {
  const [dropped] = await tx.db
    .delete(audioFetches)
    .where(and(eq(audioFetches.episodeId, episodeId), isWaiting(tx.now())))
    .returning();
  if (!dropped && (await lookupFetch(tx, episodeId))) throw beingFetched();
  if (dropped) await removeFetched(tx, dropped);
  return dropped ?? null;
}

/** Deletes what a fetch has stored that no episode waits for. */
export const removeFetched = (tx: TxCtx, { uploadKey }: Pick<FetchRow, 'uploadKey'>): Promise<void> =>
  tx.jobs.enqueue(removeObjects, { keys: [incomingKey(uploadKey)], folders: [`${incomingKey(uploadKey)}.parts/`] });

const isWaiting = (now: Date) => or(isNull(audioFetches.leasedUntil), lte(audioFetches.leasedUntil, now));

const lockPlaces = (tx: TxCtx) => tx.db.execute(sql`select pg_advisory_xact_lock(${PLACES_LOCK})`);

/**
 * Gives the free places to files that are due. Creators take turns, in which their running downloads count, so that one
 * with many files delays no other. A lease that has ended is given again: its job was lost.
 */
export async function startFetches(tx: TxCtx): Promise<void> {
  await lockPlaces(tx);
  const { episodeId, creatorId, host, dueAt, attempts, leasedUntil } = audioFetches;
  const now = tx.now();
  const running = await tx.db
    .select({ creatorId, host })
    .from(audioFetches)
    .where(gt(leasedUntil, now))
    .limit(AUDIO_FETCH_LIMITS.atOnce);
  if (running.length >= AUDIO_FETCH_LIMITS.atOnce) return;
  const others = alias(audioFetches, 'others');
  const leases = tx.db
    .select({ count: count() })
    .from(others)
    .where(and(eq(others.creatorId, creatorId), gt(others.leasedUntil, now)));
  const turn = sql`(${leases}) + row_number() over (partition by ${creatorId} order by ${attempts}, ${dueAt}, ${episodeId})`;
  const waiting = await tx.db
    .select({ episodeId, creatorId, host })
    .from(audioFetches)
    .innerJoin(episodes, eq(episodes.id, episodeId))
    .where(and(lte(dueAt, now), isWaiting(now), whereKept()))
    .orderBy(turn, asc(attempts), asc(dueAt), asc(episodeId))
    .limit(AUDIO_FETCH_LIMITS.candidates);
  await lease(tx, chooseFetches(waiting, running, AUDIO_FETCH_LIMITS));
}

async function lease(tx: TxCtx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const { episodeId, step } = audioFetches;
  const leased = await tx.db
    .update(audioFetches)
    .set({ leasedUntil: later(tx.now(), AUDIO_FETCH_LIMITS.lease), step: sql`${step} + 1` })
    .where(inArray(episodeId, ids))
    .returning({ episodeId, step });
  await tx.jobs.enqueueAll(fetchAudio, leased);
}
