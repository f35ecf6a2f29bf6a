import { and, eq, like } from 'drizzle-orm';
import { editions } from '~/db/schema/newsletter';
import { slugFrom } from '../../base/addresses';
import { withFallbacks } from '../../edition/render-web';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import type { Ctx } from '../../runtime/ctx';

/** The slug of the title, otherwise the first free one with a number: `hello`, `hello-2`, … */
export async function freeEditionSlug({ db }: Pick<Ctx, 'db'>, creatorId: number, title: string): Promise<string> {
  const base = slugFrom(withFallbacks(title), ADDRESS_LIMITS.slugLength - 5) || 'edition';
  const rows = await db
    .select({ slug: editions.slug })
    .from(editions)
    .where(and(eq(editions.creatorId, creatorId), like(editions.slug, `${base}%`)));
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}
