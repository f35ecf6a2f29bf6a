import { eq } from 'drizzle-orm';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import type { AppError } from '../../base/errors';
import type { ImportedEpisode, ImportedFeed } from '../../feed/reader/model';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { descriptionText } from '../episodes/description-html';
import { insertImportedProduct, lookupImportedProduct, updateImportedProduct } from '../products/import-product';
import { guidTooLong } from './errors';
import { copyCover } from './pictures';
import { fingerprintOf, itemName } from './poll-outcomes';
import { readFeed } from './read-feed';
import { hasAttempts, previewOf, toFeedItem, toShowFields } from './rules';
import type { ImportRow } from './views';

/**
 * The first step of a run: reads the feed again, creates or updates its show, and stores its episodes. All in one
 * transaction, so that it can be repeated. @throws fetch.*, import.*, plan.max_free_products
 */
export async function planImport(ctx: Ctx, row: ImportRow): Promise<void> {
  const mayRetry = (fault: AppError) => hasAttempts(row.attempts + 1, fault);
  const { feed, parsed } = await readFeed(ctx, row.feedUrl, { mayRetry });
  const known = row.productId === null ? null : await lookupImportedProduct(ctx, row.productId);
  const fields = await fieldsOf(ctx, feed, row);
  const owner = ownerOf(ctx, feed, row);
  const cover = known ? null : await copyCover(ctx, feed.cover?.url ?? null, { folder: row.userId });
  await transact(ctx, async (tx) => {
    const show = { ...fields, ...owner };
    if (known) await updateImportedProduct(tx, authorize(ctx, 'product.manage', known), show);
    const created = { ...show, creatorId: row.creatorId, coverKey: cover ?? '', feedGuid: feed.guid };
    const productId = known?.id ?? (await insertImportedProduct(tx, created));
    await insertItems(tx, row.id, feed.episodes);
    await tx.db
      .update(rssImports)
      .set({ productId, plannedAt: tx.now(), updatedAt: tx.now(), preview: previewOf(feed, parsed) })
      .where(eq(rssImports.id, row.id));
  });
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

/** Descriptions of shows are plain text, with a line for each paragraph. */
async function plainDescription(html: string): Promise<string> {
  const lines = await Promise.all(html.split(/<br\s*\/?>|<\/(?:p|li|h[1-6]|div)>|\n/i).map(descriptionText));
  return lines.filter((line) => line !== '').join('\n');
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
