import { and, eq, like, ne } from 'drizzle-orm';
import { editions } from '~/db/schema/newsletter';
import { slugFrom } from '../../base/addresses';
import { withFallbacks } from '../../edition/render-web';
import { EDITING_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';
import type { EditionRow } from './queries';

/** The slug of an edition's title, otherwise the first one with a number that no other has: `hello`, `hello-2`, … */
export async function freeEditionSlug(
  { db }: Pick<Ctx, 'db'>,
  { id, creatorId, title }: Pick<EditionRow, 'id' | 'creatorId' | 'title'>,
): Promise<string> {
  const base = slugFrom(withFallbacks(title), EDITING_LIMITS.slugLength - 5) || 'edition';
  const isOther = and(eq(editions.creatorId, creatorId), ne(editions.id, id));
  const rows = await db
    .select({ slug: editions.slug })
    .from(editions)
    .where(and(isOther, like(editions.slug, `${base}%`)));
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}
