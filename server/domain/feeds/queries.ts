import { and, desc, eq, sql } from 'drizzle-orm';
import type { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { Ctx } from '../../ctx';
import type { FeedCategory, FeedEpisode, FeedShow } from '../../feed/model';
import { FEED_LIMITS } from '../../limits/feeds';
import { whereInPublicFeed } from '../../policy/visibility';
import { coverUrls } from '../media/rules';
import { KINDS } from '../products/kinds';
import { categoryPath } from '../reference/kinds';
import { toHtmlParagraphs } from './rules';

type Reads = Pick<Ctx, 'db' | 'urls'>;
type Owner = { product: typeof products.$inferSelect; creator: typeof creators.$inferSelect };

/** A feed's show, its episodes page by page as they are read, and the cache tags of what it is made of. */
export type Feed = { show: FeedShow; pages: AsyncGenerator<FeedEpisode[], void>; tags: string[] };

/** The public feed of a product: its published public episodes and trailers, newest first. */
export function feedOf(ctx: Reads, owner: Owner): Feed {
  return {
    show: showOf(ctx, owner),
    pages: pagesOf(ctx, owner),
    tags: [`product:${owner.product.id}`, `creator:${owner.creator.id}`],
  };
}

/** To the microsecond, which a Date does not hold: where the next page goes on. */
const place = sql<string>`${episodes.releaseAt}::text`;

const heardColumns = {
  id: episodes.id,
  place,
  guid: episodes.guid,
  name: episodes.name,
  slug: episodes.slug,
  description: episodes.description,
  type: episodes.type,
  coverKey: episodes.coverKey,
  audioBytes: sql<number>`${episodes.audioBytes}`.mapWith(Number),
  durationMs: episodes.durationMs,
  releaseAt: episodes.releaseAt,
  season: episodes.season,
  number: episodes.number,
  explicit: episodes.explicit,
};

type Place = { id: number; place: string };

/** Each page goes on behind the last episode of the one before, so that none of them costs more than the first. */
async function* pagesOf(ctx: Reads, owner: Owner): AsyncGenerator<FeedEpisode[], void> {
  let last: Place | undefined;
  for (let left = FEED_LIMITS.episodes; left > 0; left -= FEED_LIMITS.page) {
    const size = Math.min(left, FEED_LIMITS.page);
    const page = await listHeard(ctx, owner.product.id, { last, size });
    if (page.length > 0) yield page.map((episode) => episodeOf(ctx, owner, episode));
    if (page.length < size) return;
    last = page.at(-1);
  }
}

/** One whose length is not known has no enclosure to promise. */
function listHeard(ctx: Reads, productId: number, { last, size }: { last?: Place; size: number }) {
  return ctx.db
    .select(heardColumns)
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(
      and(
        eq(episodes.productId, productId),
        whereInPublicFeed(),
        last && sql`(${episodes.releaseAt}, ${episodes.id}) < (${last.place}::timestamptz, ${last.id})`,
      ),
    )
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(size);
}

type Heard = Awaited<ReturnType<typeof listHeard>>[number];

function showOf(ctx: Reads, { product, creator }: Owner): FeedShow {
  return {
    title: product.name,
    description: toHtmlParagraphs(product.description),
    link: ctx.urls.product(creator.domain, product.slug),
    self: ctx.urls.feed(creator.domain, product.slug),
    language: product.language,
    author: creator.name,
    cover: { url: ctx.urls.media(coverUrls(product.coverKey).jpg) },
    categories: categoriesOf(product.category),
    explicit: product.explicit,
    order: KINDS[product.kind].feedType,
    guid: product.feedGuid,
    // nothing strands a creator: any other host may import what its owner asks it to
    locked: false,
    changedAt: latest(product.changedAt, creator.updatedAt),
  };
}

function categoriesOf(id: number): FeedCategory[] {
  const path = categoryPath(id);
  if (!path) return [];
  return [path.parent ? { name: path.parent.name, sub: path.category.name } : { name: path.category.name }];
}

function episodeOf(ctx: Reads, { product, creator }: Owner, episode: Heard): FeedEpisode {
  return {
    guid: episode.guid,
    title: episode.name,
    description: episode.description,
    link: ctx.urls.episode(creator.domain, product.slug, episode.slug),
    type: episode.type === 'trailer' ? 'trailer' : 'full',
    audio: { url: ctx.urls.audio(episode.id, episode.slug), bytes: episode.audioBytes },
    durationMs: episode.durationMs,
    publishedAt: episode.releaseAt ?? product.createdAt,
    cover: episode.coverKey ? ctx.urls.media(coverUrls(episode.coverKey).jpg) : undefined,
    season: episode.season,
    number: episode.number,
    explicit: episode.explicit,
  };
}

function latest(one: Date, other: Date): Date {
  if (one > other) return one;
  return other;
}
