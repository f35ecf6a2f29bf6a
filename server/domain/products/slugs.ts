import { type Ctx, violates } from '../../ctx';
import { slugFrom } from '../../fields';
import { PRODUCT_LIMITS } from '../../limits/products';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { slugTaken } from './errors';
import { isSlugTaken, listSlugsLike } from './queries';
import type { CheckSlug } from './schema';

/** Whether a slug is free among the creator's products; `slug` is the form in which it would be stored. */
export async function slugAvailability(ctx: Ctx, input: CheckSlug): Promise<{ slug: string; available: boolean }> {
  const { creatorId } = authorize(ctx, 'product.manage', requireCreator(ctx));
  const slug = slugFrom(input.slug, PRODUCT_LIMITS.slugLength);
  return { slug, available: slug !== '' && !(await isSlugTaken(ctx, creatorId, slug, input.exceptId)) };
}

/** The slug of the name itself, else the first free one with a number: `olas`, `olas-2`, … */
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
