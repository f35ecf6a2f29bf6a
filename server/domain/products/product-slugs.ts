import { isSlug, slugFrom } from '../../base/addresses';
import { PRODUCT_LIMITS } from '../../limits/products';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, violates } from '../../runtime/ctx';
import { slugTaken } from './errors';
import { isSlugTaken, listSlugsLike } from './queries';
import type { CheckSlug } from './schema';

/**
 * Whether a slug is free among the creator's products, for a form that is being filled in. `reason` is an error code.
 */
export async function slugAvailability(
  ctx: Ctx,
  input: CheckSlug,
): Promise<{ slug: string; available: boolean; reason: string | null }> {
  const { creatorId } = authorize(ctx, 'product.manage', requireCreator(ctx));
  const slug = input.slug.trim().toLowerCase();
  if (!isSlug(slug)) return { slug, available: false, reason: 'field.slug_invalid' };
  const isTaken = await isSlugTaken(ctx, creatorId, slug, input.exceptId);
  return { slug, available: !isTaken, reason: isTaken ? 'product.slug_taken' : null };
}

/** The slug of the name, otherwise the first free one with a number: `olas`, `olas-2`, … */
export async function freeSlug(ctx: Ctx, creatorId: number, name: string): Promise<string> {
  const base = slugFrom(name, PRODUCT_LIMITS.slugLength - 4) || 'audio';
  const taken = await listSlugsLike(ctx, creatorId, base);
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}

/** On a race for a slug, the unique index wins; the loser gets product.slug_taken. */
export function asConflict(error: unknown): never {
  throw violates(error, 'products_slug_once') ? slugTaken() : error;
}
