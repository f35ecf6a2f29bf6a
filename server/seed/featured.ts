import { asc, inArray } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { featureShow } from '../domain/products/feature-show';
import { type Runtime, systemCtx } from '../runtime/runtime';

/** In both languages, free and paid. */
const RECOMMENDED = ['field-guide-to-hums', 'noches-de-taller', 'lullabies', 'cuatro-estaciones'];

/** The operators' recommendations. */
export async function seedFeatured(runtime: Runtime): Promise<void> {
  const ctx = systemCtx(runtime, 'demo');
  const shows = await runtime.db
    .select({ id: products.id, slug: products.slug })
    .from(products)
    .where(inArray(products.slug, RECOMMENDED))
    .orderBy(asc(products.id));
  for (const { id, slug } of shows) {
    const place = { position: RECOMMENDED.indexOf(slug) + 1, until: null };
    await featureShow(ctx, { operator: { name: 'demo' }, id, ...place });
  }
}
