import { eq } from 'drizzle-orm';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import { AppError } from '../../base/errors';
import type { ImportedEpisode, ImportedFeed } from '../../feed/reader/model';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { isSamePicture, storePlainCover } from '../media/covers';
import { insertImportedProduct, lookupImportedProduct, updateImportedProduct } from '../products/import-product';
import type { ProductRow } from '../products/queries';
import { plainDescription } from './clean-notes';
import { guidTooLong } from './errors';
import { copyPicture } from './pictures';
import { fingerprintOf, itemName } from './poll-outcomes';
import { readFeed } from './read-feed';
import { nextAttempt, previewOf, toFeedItem, toShowFields } from './rules';
import type { ImportRow } from './views';

/**
 * The first step of a run: reads the feed again, creates or updates its show, and stores its episodes. All in one
 * transaction, so that it can be repeated. @throws fetch.*, import.*, plan.max_free_products
 */
export async function planImport(ctx: Ctx, row: ImportRow): Promise<void> {
  const mayRetry = (fault: AppError) => nextAttempt(row, fault, ctx.now()) !== null;
  const { feed, parsed } = await readFeed(ctx, row.feedUrl, { mayRetry });
  const known = row.productId === null ? null : await lookupImportedProduct(ctx, row.productId);
  const fields = await fieldsOf(ctx, feed, row);
  const owner = ownerOf(ctx, feed, row);
  const { cover, losses } = await copyCover(ctx, row, { url: feed.cover?.url ?? null, known });
  await transact(ctx, async (tx) => {
    const show = { ...fields, ...owner, coverKey: cover };
    if (known) await updateImportedProduct(tx, authorize(ctx, 'product.manage', known), show);
    const created = { ...show, creatorId: row.creatorId, feedGuid: feed.guid };
    const productId = known?.id ?? (await insertImportedProduct(tx, created));
    await insertItems(tx, row.id, feed.episodes);
    const preview = previewOf(feed, { ...parsed, losses: [...parsed.losses, ...losses] });
    await tx.db
      .update(rssImports)
      .set({ productId, plannedAt: tx.now(), updatedAt: tx.now(), preview })
      .where(eq(rssImports.id, row.id));
  });
}

type Cover = { url: string | null; known: ProductRow | null };

/**
 * The feed's cover for a new show, or for one that an import has left with a plain square. @throws fetch.* while another
 * attempt may succeed
 */
async function copyCover(ctx: Ctx, row: ImportRow, { url, known }: Cover) {
  const plain = await storePlainCover(ctx, row.userId);
  const kept = { cover: known?.coverKey ?? plain, losses: [] };
  if (url === null || !isSamePicture(kept.cover, plain)) return kept;
  try {
    return { ...kept, cover: await copyPicture(ctx, row, { url }) };
  } catch (error) {
    if (!(error instanceof AppError) || nextAttempt(row, error, ctx.now())) throw error;
    return { ...kept, losses: [{ kind: 'cover_unavailable' as const, count: 1, first: 0 }] };
  }
}

/** Only the owner of the page decides where donors are sent, so another member's import leaves that field as it is. */
async function fieldsOf(ctx: Ctx, feed: ImportedFeed, { creatorId, userId }: ImportRow) {
  const fields = toShowFields(feed, await plainDescription(feed.description));
  const { fundingUrl, fundingText, ...others } = fields;
  const creator = await findCreator(ctx, creatorId);
  return creator.userId === userId ? fields : others;
}

/** The address is public in the new feed only after its owner has opened our link. */
function ownerOf(ctx: Ctx, feed: ImportedFeed, { sentTo, provedByEmail }: ImportRow) {
  const contact = feed.contacts.find(({ source }) => source === 'itunes:owner');
  const isProved = provedByEmail && contact?.email === sentTo;
  return isProved ? { ownerEmail: sentTo, ownerEmailVerifiedAt: ctx.now() } : { ownerEmail: null };
}

export async function insertItems(tx: TxCtx, importId: number, found: readonly ImportedEpisode[]): Promise<void> {
  const rows = found.map((episode, i) => toRow(importId, episode, i + 1));
  for (let at = 0; at < rows.length; at += IMPORT_LIMITS.insertedAtOnce) {
    const part = rows.slice(at, at + IMPORT_LIMITS.insertedAtOnce);
    await tx.db.insert(rssImportItems).values(part).onConflictDoNothing();
  }
}

/** A GUID that is too long for the index can't be kept. */
function toRow(importId: number, episode: ImportedEpisode, position: number): typeof rssImportItems.$inferInsert {
  const data = toFeedItem(episode);
  const row = { importId, position, data, fingerprint: fingerprintOf(data), name: itemName(episode) };
  if (episode.guid.length <= IMPORT_LIMITS.guidLength) return { ...row, guid: episode.guid, bytes: data.audio.bytes };
  const guid = `${episode.guid.slice(0, 100)}… ${position}`;
  return { ...row, guid, state: 'skipped', reason: guidTooLong().code };
}
