import { and, eq, type SQL } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { worksFor } from '../../policy/actor';
import { may } from '../../policy/authorize';
import { actorInQuery, availableAt, whereGranted } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findPreviewed, type Previewer } from '../episodes/preview-links';
import { factsOf } from '../episodes/queries';
import { hasInsertions } from '../insertions/hold-rendition';
import { hashOfHead } from '../media/served-heads';
import type { Delivery } from './downloads';

/** An episode's file, with the facts that the download count needs. */
export type Enclosure = {
  bytes: number;
  sha256: string;
  episode: Delivery['episode'];
  /** Whether listeners may get clips in it, or got some in the last day; the owner and previews don't. */
  hasInsertions: boolean;
  /** Since when the show promises its subscribers that they hear no insertions; null without the promise. */
  insertionFreeSince: Date | null;
} & ({ objectKey: string } | { segments: FilePart[] });
type FilePart = { bytes: number; from: { key: string; start: number } };

/** Only the columns that a delivery needs, because every range request of a player reads them. */
const DELIVERED = {
  id: episodes.id,
  creatorId: episodes.creatorId,
  productId: episodes.productId,
  status: episodes.status,
  type: episodes.type,
  earlyUntil: episodes.earlyUntil,
  deletedAt: episodes.deletedAt,
  takenDownAt: episodes.takenDownAt,
  audioKey: episodes.audioKey,
  audioBytes: episodes.audioBytes,
  audioSha256: episodes.audioSha256,
  headBytes: episodes.headBytes,
  durationMs: episodes.durationMs,
  servedHead: episodes.servedHead,
};

/** The file of an episode; null if it has no file, or if the caller may not play it. */
export async function lookupEnclosure(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
  episodeId: number,
): Promise<Enclosure | null> {
  const { priceMinor, archivedAt, takenDownAt, retiredAt } = products;
  const product = { priceMinor, archivedAt, takenDownAt, retiredAt };
  const actor = actorInQuery(ctx);
  const [row] = await ctx.db
    .select({
      ...{ episode: DELIVERED, product, hasGrant: whereGranted(actor), availableAt: availableAt(actor) },
      hasInsertions: hasInsertions(ctx.now()),
      insertionFreeSince: products.insertionFreeSince,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(eq(episodes.id, episodeId));
  if (!row || !may(ctx, 'episode.play', factsOf(row))) return null;
  const hears = row.hasInsertions && !worksFor(ctx.actor, row.episode.creatorId);
  return toEnclosure(row.episode, { hasInsertions: hears, insertionFreeSince: row.insertionFreeSince });
}

/**
 * The file of an episode for its preview link; null if the link belongs to another episode. @throws
 * episode.preview_expired
 */
export async function lookupPreviewed(ctx: Previewer, episodeId: number, token: string): Promise<Enclosure | null> {
  const { episode } = await findPreviewed(ctx, token);
  return episode.id === episodeId ? toEnclosure(episode, { hasInsertions: false, insertionFreeSince: null }) : null;
}

/**
 * The file of an episode that a service distributes, without insertions. `where`: the rule of the service.
 */
export async function lookupDistributed(
  ctx: Pick<Ctx, 'db'>,
  episodeId: number,
  where: SQL,
): Promise<Enclosure | null> {
  const [row] = await ctx.db
    .select(DELIVERED)
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.id, episodeId), where));
  return row ? toEnclosure(row, { hasInsertions: false, insertionFreeSince: null }) : null;
}

function toEnclosure(
  episode: Pick<typeof episodes.$inferSelect, keyof typeof DELIVERED>,
  insertions: Pick<Enclosure, 'hasInsertions' | 'insertionFreeSince'>,
): Enclosure | null {
  const { id, creatorId, productId, audioKey, audioBytes, audioSha256, headBytes, durationMs, servedHead } = episode;
  if (audioKey === null || audioBytes === null || audioSha256 === null) return null;
  const audio = { bytes: audioBytes, headBytes: headBytes ?? 0, durationMs: durationMs ?? 0 };
  const facts = { bytes: audioBytes, ...insertions, episode: { id, creatorId, productId, ...audio } };
  if (!servedHead) return { objectKey: audioKey, sha256: audioSha256, ...facts };
  const { key, bytes, replaces } = servedHead;
  const segments = [
    { bytes, from: { key, start: 0 } },
    { bytes: audioBytes - bytes, from: { key: audioKey, start: replaces } },
  ];
  // changed chapters make a new file, and a player must not join halves of both
  return { segments, sha256: `${audioSha256}-${hashOfHead(servedHead)}`, ...facts };
}
