import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import type { CoverUrls } from '~/server/domain/media/rules';
import type { Caller } from '~/server/trpc/caller';
import { priceLabel } from './offer-labels.server';
import { type ApiProduct, urlsFromApp } from './page-data.server';

type Popular = Awaited<ReturnType<Caller['pages']['home']>>['popular'];

export type ShelfShow = ReturnType<typeof toShelfShow>;
export type CategoryChip = { path: string; name: string; cover: CoverUrls };
export type PopularView = { trending: ShelfShow[]; categories: CategoryChip[] };

/** A show on a shelf, marked with its price. */
export function toShelfShow({ context, request }: Pick<Door, 'context' | 'request'>, product: ApiProduct) {
  const { id, name, language, slug, cover, creator } = product;
  const free = translator(context.language, 'discover')('price.free');
  const price = priceLabel(product, context) ?? free;
  const url = urlsFromApp(context, request, creator.domain).product(slug);
  return { id, name, language, cover, creator: creator.name, price, url };
}

export function toPopularView(door: Door, { trending, categories }: Popular): PopularView {
  const { discover } = pathsFor(door.url);
  const isSpanish = door.context.language === 'es';
  return {
    trending: trending.map((product) => toShelfShow(door, product)),
    categories: categories.map(({ category: { slug, name, nameEs }, cover }) => ({
      path: `${discover}?category=${slug}`,
      name: isSpanish ? nameEs : name,
      cover,
    })),
  };
}
