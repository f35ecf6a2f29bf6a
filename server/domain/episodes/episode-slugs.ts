import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { slugFrom } from '../../base/addresses';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { type Ctx, violates } from '../../runtime/ctx';
import { slugTaken } from './errors';
import { isSlugTaken } from './queries';

/** The slug of the name, with random characters if another episode of the product has it. */
export async function freeSlug(ctx: Ctx, productId: number, name: string): Promise<string> {
  const base = slugFrom(name, EPISODE_LIMITS.slugLength - 9) || 'episode';
  return (await isSlugTaken(ctx, productId, base)) ? `${base}-${randomUUID().slice(0, 8)}` : base;
}

/** An episode's own slug with random characters, in SQL. */
export const withRandomEnd = sql<string>`
  rtrim(left(${episodes.slug}, ${EPISODE_LIMITS.slugLength - 9}), '-') || '-' || left(gen_random_uuid()::text, 8)`;

/** On a race for a slug, the unique index wins; the loser gets episode.slug_taken. */
export function asConflict(error: unknown): never {
  throw violates(error, 'episodes_slug_once') ? slugTaken() : error;
}
