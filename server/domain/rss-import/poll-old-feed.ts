import { randomBytes } from 'node:crypto';
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { oldFeeds, rssImportItems, rssImports } from '~/db/schema/rss-import';
import { hashToken } from '../../auth/token-hash';
import { AppError } from '../../base/errors';
import type { ImportedEpisode } from '../../feed/reader/model';
import { authorize } from '../../policy/authorize';
import { pollOldFeed as pollJob, runImport } from '../../queue/jobs/rss-import';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lookupImportedProduct } from '../products/import-product';
import { findProductRecord } from '../products/queries';
import { noOldFeed } from './errors';
import { lookupOldFeed } from './old-feeds';
import { insertItems } from './plan-import';
import { afterPoll, changedEpisodes, type KnownItem, type Polled } from './poll-outcomes';
import { type ReadFeed, readFeedIfChanged } from './read-feed';
import { previewOf } from './rules';
import type { FindOldFeed } from './schema';
import { type OldFeedRow, type OldFeedView, toOldFeedView } from './views';

type Step = { productId: number; step: number };
/** `read`: null if the feed is unchanged. */
type Poll = { polled: Polled; read: ReadFeed | null };

/**
 * Fetches a show's feed from the former host. If it is followed, new and changed episodes become a separate import,
 * which runs like others. All results of a poll are stored in one transaction with the job of the next poll, so a
 * killed poll starts again, and of two jobs for one step only one counts.
 */
export async function pollOldFeed(ctx: Ctx, { productId, step }: Step): Promise<void> {
  const row = await lookupOldFeed(ctx, productId);
  if (!row || row.step !== step || row.state === 'ended') return;
  if (!(await lookupImportedProduct(ctx, productId))) return endPolling(ctx, row);
  const poll = await requestFeed(ctx, row);
  await transact(ctx, (tx) => storePoll(tx, row, poll));
}

/** Polls at once, because the creator requests it. @throws import.no_old_feed */
export async function checkOldFeed(ctx: Ctx, { productId }: FindOldFeed): Promise<OldFeedView> {
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'product.manage', product);
  const row = await lookupOldFeed(ctx, productId);
  if (!row) throw noOldFeed();
  const poll = await requestFeed(ctx, row);
  await transact(ctx, (tx) => storePoll(tx, row, poll));
  return toOldFeedView((await lookupOldFeed(ctx, productId)) ?? row);
}

/** Ends the following of the feed of a deleted show. */
async function endPolling(ctx: Ctx, { productId }: OldFeedRow): Promise<void> {
  await ctx.db.update(oldFeeds).set({ state: 'ended', nextAt: null }).where(eq(oldFeeds.productId, productId));
}

async function requestFeed(ctx: Ctx, { feedUrl, state, etag, lastModified }: OldFeedRow): Promise<Poll> {
  const stopsAt = ctx.urls.isOwn;
  // for a watched feed, no episodes were imported with these validators
  const known = state === 'following' ? { etag, lastModified } : undefined;
  try {
    const read = await readFeedIfChanged(ctx, feedUrl, { stopsAt, known, mayRetry: () => true });
    const target = read?.feed.movedTo;
    return { polled: { kind: 'read', redirect: target && stopsAt(target) ? 'tag' : 'none' }, read };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'fetch.redirected') return { polled: { kind: 'failed', error }, read: null };
    return { polled: { kind: 'redirected', isPermanent: error.params.isPermanent === 1 }, read: null };
  }
}

async function storePoll(tx: TxCtx, row: OldFeedRow, { polled, read }: Poll): Promise<void> {
  const isUnchanged = polled.kind === 'read' && !read;
  const next = afterPoll(row, isUnchanged ? { kind: 'read', redirect: tagOf(row) } : polled, tx.now());
  // the creator checks an ended feed: the result is shown, but polling does not start again
  const { redirect, failureReason, failureParams } = next;
  const isOver = row.state === 'ended' && next.endedBecause !== 'moved';
  const changes = isOver ? { redirect, failureReason, failureParams } : next;
  const isFollowed = row.state === 'following' && read !== null;
  const validators = isFollowed ? { etag: read.etag, lastModified: read.lastModified } : {};
  const step = row.step + 1;
  const [raised] = await tx.db
    .update(oldFeeds)
    .set({ ...changes, ...validators, step, checkedAt: tx.now() })
    .where(and(eq(oldFeeds.productId, row.productId), eq(oldFeeds.step, row.step)))
    // as it is now: the creator may have made the show private while the feed was fetched
    .returning({ isPrivate: oldFeeds.isPrivate });
  if (!raised) return;
  if (isFollowed) await importChanges(tx, { ...row, ...raised }, read);
  if (next.nextAt && !isOver) await tx.jobs.enqueue(pollJob, { productId: row.productId, step }, { at: next.nextAt });
}

/** An unchanged feed still has its former tag. */
const tagOf = ({ redirect }: OldFeedRow) => (redirect === 'tag' ? 'tag' : 'none');

async function importChanges(tx: TxCtx, row: OldFeedRow, { feed, parsed }: ReadFeed): Promise<void> {
  const changed = changedEpisodes(await listKnown(tx, row.productId), feed.episodes);
  if (changed.length === 0) return;
  const preview = { ...previewOf({ ...feed, episodes: changed }, parsed), repairs: [], losses: [] };
  const importId = await insertRun(tx, row, preview);
  await insertItems(tx, importId, inFeedOrder(feed.episodes, changed));
  await tx.jobs.enqueue(runImport, { importId, step: 0 });
}

const inFeedOrder = (all: readonly ImportedEpisode[], some: ImportedEpisode[]) =>
  all.filter((episode) => some.includes(episode));

/** The run needs no proof and no place among the imports that users wait for. Its end sends no email. */
async function insertRun(tx: TxCtx, row: OldFeedRow, preview: ReturnType<typeof previewOf>): Promise<number> {
  const now = tx.now();
  const { productId, creatorId, userId, feedUrl } = row;
  const isPrivate = row.isPrivate || (await hasOnlyPrivate(tx, productId));
  const randomSecret = () => randomBytes(32).toString('base64url');
  const [run] = await tx.db
    .insert(rssImports)
    .values({
      ...{ productId, creatorId, userId, feedUrl, isPrivate, preview },
      ...{ status: 'in_progress', isFollowUp: true, seenAt: now },
      ...{ tokenHash: hashToken(randomSecret()), proofCode: randomSecret(), expiresAt: now },
      ...{ confirmedAt: now, startedAt: now, plannedAt: now, createdAt: now, updatedAt: now },
    })
    .returning({ id: rssImports.id });
  return run!.id;
}

/** Whether the creator has made every episode of the show private in another way. */
async function hasOnlyPrivate({ db }: TxCtx, productId: number): Promise<boolean> {
  const kept = and(eq(episodes.productId, productId), isNull(episodes.deletedAt));
  const [row] = await db
    .select({
      others: sql<number>`count(*) filter (where ${episodes.type} <> 'private')`.mapWith(Number),
      all: count(),
    })
    .from(episodes)
    .where(kept);
  return row !== undefined && row.all > 0 && row.others === 0;
}

/**
 * The episodes of all imports of the show, as their latest import has stored them; and the show's other episodes, which
 * count as unchanged.
 */
async function listKnown({ db }: TxCtx, productId: number): Promise<KnownItem[]> {
  const { guid, fingerprint, name, data, importId } = rssImportItems;
  const others = await db
    .select({ guid: episodes.guid, name: episodes.name, releaseAt: episodes.releaseAt })
    .from(episodes)
    .where(eq(episodes.productId, productId));
  const unimported = others.map(({ releaseAt, ...episode }) => {
    const publishedAt = releaseAt?.toISOString() ?? null;
    return { ...episode, publishedAt, fingerprint: null };
  });
  const items = await db
    .selectDistinctOn([guid], { guid, fingerprint, name, publishedAt: sql<string | null>`${data}->>'publishedAt'` })
    .from(rssImportItems)
    .innerJoin(rssImports, eq(rssImports.id, importId))
    .where(eq(rssImports.productId, productId))
    .orderBy(guid, desc(importId));
  // if two have one GUID, the last one counts
  return [...unimported, ...items];
}
