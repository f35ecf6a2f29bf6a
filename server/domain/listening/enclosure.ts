import { and, eq, isNull } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { Ctx } from '../../ctx';
import { may } from '../../policy/authorize';
import type { Delivery } from './downloads';

/** An episode's file, and what counting its deliveries needs to know. */
export type Enclosure = { objectKey: string; bytes: number; sha256: string; episode: Delivery['episode'] };

/** The file of an episode that the caller may hear; null where there is none, or not for them. */
export async function lookupEnclosure(ctx: Pick<Ctx, 'db' | 'actor'>, episodeId: number): Promise<Enclosure | null> {
  const [row] = await ctx.db
    .select({
      id: episodes.id,
      creatorId: episodes.creatorId,
      productId: episodes.productId,
      status: episodes.status,
      type: episodes.type,
      objectKey: episodes.audioKey,
      bytes: episodes.audioBytes,
      sha256: episodes.audioSha256,
      headBytes: episodes.headBytes,
      durationMs: episodes.durationMs,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.id, episodeId), isNull(products.retiredAt)));
  if (!row || !may(ctx, 'episode.play', row)) return null;
  const { id, creatorId, productId, objectKey, bytes, sha256, headBytes, durationMs } = row;
  if (objectKey === null || bytes === null || sha256 === null) return null;
  const facts = { bytes, headBytes: headBytes ?? 0, durationMs: durationMs ?? 0 };
  return { objectKey, bytes, sha256, episode: { id, creatorId, productId, ...facts } };
}
