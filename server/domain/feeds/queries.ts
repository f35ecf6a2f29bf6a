import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { creators, domains } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { formerProductSlugs, products } from '~/db/schema/products';
import type { Ctx } from '../../ctx';
import { LIMITS } from '../../limits';
import { coverUrls } from '../media/rules';
import { KINDS } from '../products/kinds';
import { categoryPath } from '../reference/kinds';
import type { FeedCategory, FeedDocument, FeedEpisode } from './model';
import { htmlOfText } from './rules';

type Reads = Pick<Ctx, 'db' | 'urls'>;
type Owner = { product: typeof products.$inferSelect; creator: typeof creators.$inferSelect };

/** A feed with the tags of what it was made of, or where it went when domain or slug are former ones. */
export type FoundFeed = { document: FeedDocument; tags: string[] } | { movedTo: string };

/** The public feed of a product: published public episodes and trailers, newest first; null where there is no product. */
export async function lookupPublicFeed(ctx: Reads, domain: string, slug: string): Promise<FoundFeed | null> {
  const owner = await lookupOwner(ctx, domain, slug);
  if (!owner) return null;
  const { product, creator } = owner;
  const address = ctx.urls.feed(creator.domain, product.slug);
  if (creator.domain !== domain || product.slug !== slug) return { movedTo: address };
  const heard = await listHeard(ctx, product.id);
  const document = documentOf(
    ctx,
    owner,
    heard.map((episode) => episodeOf(ctx, owner, episode)),
  );
  return { document, tags: [`product:${product.id}`, `creator:${creator.id}`] };
}

/** By present or former domain and slug; a living product's own slug wins over one that another gave up. */
async function lookupOwner(ctx: Reads, domain: string, slug: string): Promise<Owner | null> {
  const former = and(eq(formerProductSlugs.productId, products.id), eq(formerProductSlugs.slug, slug));
  const [found] = await ctx.db
    .select({ product: products, creator: creators })
    .from(domains)
    .innerJoin(creators, eq(creators.id, domains.creatorId))
    .innerJoin(products, and(eq(products.creatorId, creators.id), isNull(products.retiredAt)))
    .leftJoin(formerProductSlugs, former)
    .where(and(eq(domains.domain, domain), or(eq(products.slug, slug), eq(formerProductSlugs.slug, slug))))
    .orderBy(sql`${products.slug} = ${slug} desc`)
    .limit(1);
  return found ?? null;
}

const heardColumns = {
  id: episodes.id,
  guid: episodes.guid,
  name: episodes.name,
  slug: episodes.slug,
  description: episodes.description,
  type: episodes.type,
  coverKey: episodes.coverKey,
  audioBytes: episodes.audioBytes,
  durationMs: episodes.durationMs,
  releaseAt: episodes.releaseAt,
  season: episodes.season,
  number: episodes.number,
  explicit: episodes.explicit,
};

function listHeard(ctx: Reads, productId: number) {
  return ctx.db
    .select(heardColumns)
    .from(episodes)
    .where(
      and(
        eq(episodes.productId, productId),
        eq(episodes.status, 'published'),
        inArray(episodes.type, ['public', 'trailer']),
      ),
    )
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(LIMITS.feed.episodes);
}

type Heard = Awaited<ReturnType<typeof listHeard>>[number];

function documentOf(ctx: Reads, { product, creator }: Owner, list: FeedEpisode[]): FeedDocument {
  return {
    title: product.name,
    description: htmlOfText(product.description),
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
    episodes: list,
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
    audio: { url: ctx.urls.audio(episode.id, episode.slug), bytes: episode.audioBytes ?? 0 },
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
