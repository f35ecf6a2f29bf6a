import { eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { escapeHtml } from '../../base/html';
import { EDITION_LIMITS } from '../../limits/editions';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { episodeNotFound } from '../episodes/errors';
import type { EditionRow } from './queries';

/**
 * The first version of an edition about an episode: its title, its description and its card. The notes of an episode for
 * subscribers are below the line that divides the free part. @throws episode.not_found
 */
export async function episodeDraft(ctx: Ctx, creatorId: number, episodeId: number): Promise<Partial<EditionRow>> {
  const [row] = await ctx.db
    .select({
      creatorId: episodes.creatorId,
      name: episodes.name,
      type: episodes.type,
      description: episodes.description,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(eq(episodes.id, episodeId));
  if (!row || row.creatorId !== creatorId) throw episodeNotFound();
  authorize(ctx, 'episode.read', row);
  const card = `<div data-episode="${episodeId}"></div>`;
  const text = row.description === '' || row.description.startsWith('<') ? row.description : paragraph(row.description);
  const line = row.type === 'private' ? '<hr data-free-end>' : '';
  return {
    title: row.name.slice(0, EDITION_LIMITS.titleLength),
    content: (card + line + text).slice(0, EDITION_LIMITS.contentLength),
  };
}

const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
