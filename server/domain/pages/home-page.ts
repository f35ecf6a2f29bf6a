import { and, eq, exists, gt, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { type PictureParts, pictureParts } from '../../content/picture-html';
import { PAGE_LIMITS } from '../../limits/paging';
import type { Ctx } from '../../runtime/ctx';
import type { EpisodeView } from '../episodes/views';
import { listFeaturedShows } from '../products/feature-show';
import { listShowcaseRows, type ProductRecord } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';
import { type PopularShows, popularShows } from './popular-shows';
import { productPage } from './product-page';

export type HomePage = {
  /** A show that the operator has chosen, and its episode to play. */
  sample: { product: ProductView; episode: EpisodeView } | null;
  /** The newest shows of verified creators that have listens, free and paid; a show always has a cover. */
  shelf: ProductView[];
  popular: PopularShows;
  /** The operators' recommendations. */
  featured: ProductView[];
  /** The chart of the studio, a screenshot of the texts (docs/decisions/0398). */
  screen: PictureParts | null;
};

/** The shows of the home page, those in the visitor's language first. Explicit shows and episodes are left out. */
export async function homePage(ctx: Ctx): Promise<HomePage> {
  const { language, settings } = ctx;
  const [chosen, shelf, popular, featured, screen] = await Promise.all([
    listShowcaseRows(ctx, whereChosen(settings.homeShows), { language, limit: settings.homeShows.length }),
    listShowcaseRows(ctx, whereOnShelf(ctx), { language, limit: PAGE_LIMITS.shelf }),
    popularShows(ctx),
    listFeaturedShows(ctx),
    findScreen(ctx),
  ]);
  const views = (rows: ProductRecord[]) => rows.map((row) => toProductView(ctx, row));
  return { sample: await findSample(ctx, chosen), shelf: views(shelf), popular, featured: views(featured), screen };
}

async function findScreen({ content, language }: Ctx): Promise<PictureParts | null> {
  const { pictures } = await content.library();
  const picture = pictures.get(`statistics-${language}.webp`);
  return picture ? pictureParts(picture, { picture: (name) => pictures.get(name) }) : null;
}

/** The trailer or the first playable episode of the first chosen show, in the operator's order within each language. */
async function findSample(ctx: Ctx, chosen: ProductRecord[]): Promise<HomePage['sample']> {
  const order = ctx.settings.homeShows.map(addressOf);
  const position = ({ product, creator }: ProductRecord) =>
    order.indexOf(addressOf({ domain: creator.domain, slug: product.slug }));
  const isOurs = ({ product }: ProductRecord) => product.language.toLowerCase().split('-', 1)[0] === ctx.language;
  const [first] = chosen.toSorted((a, b) => Number(isOurs(b)) - Number(isOurs(a)) || position(a) - position(b));
  if (!first) return null;
  const page = await productPage(ctx, { domain: first.creator.domain, slug: first.product.slug, page: 1 });
  if (page.moved) return null;
  const episode = [page.trailer, ...page.episodes.items].find((item) => item?.hasAccess && !item.explicit);
  return episode ? { product: page.product, episode } : null;
}

const addressOf = ({ domain, slug }: { domain: string; slug: string }) => `${domain}/${slug}`;

function whereChosen(shows: { domain: string; slug: string }[]): SQL {
  const each = shows.map(({ domain, slug }) => and(eq(creators.domain, domain), eq(products.slug, slug)));
  return or(...each) ?? sql`false`;
}

function whereOnShelf({ db }: Ctx): SQL {
  const verified = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, creators.userId), isNotNull(users.emailVerifiedAt)));
  const { creatorId, productId, listens } = listeningDays;
  const listened = db
    .select({ productId })
    .from(listeningDays)
    .where(and(eq(creatorId, products.creatorId), eq(productId, products.id), gt(listens, 0)));
  return and(exists(verified), exists(listened)) as SQL;
}
