import { and, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { creators } from '~/db/schema/creators';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { servedRenditions } from '~/db/schema/renditions';
import type { ListenerDoor } from '~/db/values/insertions';
import { withFeedAccess } from '../../base/public-paths';
import { categoryPath } from '../../feed/apple-categories';
import type { FeedCategory, FeedEpisode, FeedFunding, FeedShow, FeedSoundbite, FeedTranscript } from '../../feed/model';
import { FEED_LIMITS } from '../../limits/feeds';
import { whereInPublicFeed } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { formatsOf, TRANSCRIPT_TYPES } from '../../transcript/write-transcript';
import { linkDescription, shownDescription } from '../episodes/description-html';
import { hasChapters } from '../episodes/queries';
import { isServedAt } from '../insertions/served-lengths';
import { coverUrls } from '../media/rules';
import { KINDS } from '../products/kinds';
import { listedSoundbites } from '../soundbites/queries';
import { heardSpan } from '../soundbites/rules';
import { toHtmlParagraphs } from './rules';

type Reads = Pick<Ctx, 'db' | 'urls'>;
export type Owner = { product: typeof products.$inferSelect; creator: typeof creators.$inferSelect };

/** A feed's show, and its episodes in pages that are read on demand. */
export type FeedContents = { show: FeedShow; pages: AsyncGenerator<FeedEpisode[], void> };
/** A feed with its cache tags. */
export type Feed = FeedContents & { tags: string[] };

/** Makes the URLs of files work for one listener; null in public feeds. */
type Access = { access: ((episodeId: number) => string) | null };
/** The reader of a feed: the feed's URL, its episodes, and the access to their files. */
type Reader = Access & {
  self: string;
  name?: string;
  where(): SQL;
  /** Changes what the feed says of an episode. */
  finish?(item: FeedEpisode, episode: FeedEpisodeRecord): FeedEpisode;
  /** Without insertions; otherwise as the listeners of a door get the audio. */
  isPlain?: boolean;
};

/** The public feed of a product: its published public episodes and trailers, newest first. */
export function feedOf(ctx: Reads, owner: Owner): Feed {
  const contents = readFeed(ctx, owner, publicReader(ctx, owner));
  return { ...contents, tags: [`product:${owner.product.id}`, `creator:${owner.creator.id}`] };
}

const publicReader = ({ urls }: Reads, { product, creator }: Owner): Reader => ({
  self: urls.feed(creator.domain, product.slug),
  where: whereInPublicFeed,
  access: null,
});

/**
 * One page of the public feed, which the creator has limited to the newest episodes (RFC 5005). Null if the page does
 * not exist.
 */
export async function feedPageOf(ctx: Reads, owner: Owner, page: number): Promise<Feed | null> {
  const size = owner.product.feedLength;
  if (size === null) return page === 1 ? feedOf(ctx, owner) : null;
  const reader = publicReader(ctx, owner);
  const part = { size: size + 1, skip: (page - 1) * size, where: reader.where(), door: 'public_feed' as const };
  const found = await listFeedEpisodes(ctx, [owner.product.id], part);
  if (found.length === 0 && page > 1) return null;
  const pageUrl = (number: number) => (number === 1 ? reader.self : `${reader.self}?page=${number}`);
  const next = found.length > size ? pageUrl(page + 1) : undefined;
  const show = { ...showOf(ctx, owner, { ...reader, self: pageUrl(page) }), next };
  const listed = found.slice(0, size).map((episode) => episodeOf(ctx, owner, episode));
  return { show, pages: onePage(listed), tags: feedOf(ctx, owner).tags };
}

/** The feed for one reader, or for all readers. */
export function readFeed(ctx: Reads, owner: Owner, reader: Reader): FeedContents {
  return { show: showOf(ctx, owner, reader), pages: pagesOf(ctx, owner, reader) };
}

/** The release time to the microsecond, which a Date cannot represent. The next page continues after it. */
const cursor = sql<string>`${episodes.releaseAt}::text`;

const feedColumns = {
  id: episodes.id,
  productId: episodes.productId,
  cursor,
  guid: episodes.guid,
  name: episodes.name,
  slug: episodes.slug,
  description: episodes.description,
  type: episodes.type,
  earlyUntil: episodes.earlyUntil,
  coverKey: episodes.coverKey,
  audioBytes: sql<number>`coalesce(${servedRenditions.bytes}, ${episodes.audioBytes})`.mapWith(Number),
  durationMs: sql<number | null>`coalesce(${servedRenditions.durationMs}, ${episodes.durationMs})`,
  releaseAt: episodes.releaseAt,
  season: episodes.season,
  number: episodes.number,
  explicit: episodes.explicit,
  aiContent: episodes.aiContent,
  people: episodes.people,
  hasChapters,
  soundbites: listedSoundbites,
  parts: servedRenditions.parts,
  isServed: sql<boolean>`${servedRenditions.renditionId} is not null`,
  transcript: { source: episodeTranscripts.source, language: episodeTranscripts.language },
};

type Cursor = { id: number; cursor: string };

/** Each page continues after the last episode of the previous one, so no page costs more than the first. */
async function* pagesOf(ctx: Reads, owner: Owner, reader: Reader): AsyncGenerator<FeedEpisode[], void> {
  let last: Cursor | undefined;
  const door = reader.isPlain ? null : reader.access === null ? 'public_feed' : 'private_feed';
  for (let left = FEED_LIMITS.episodes; left > 0; left -= FEED_LIMITS.page) {
    const size = Math.min(left, FEED_LIMITS.page);
    const page = await listFeedEpisodes(ctx, [owner.product.id], { last, size, where: reader.where(), door });
    if (page.length > 0) yield page.map((episode) => itemOf(ctx, owner, reader, episode));
    if (page.length < size) return;
    last = page.at(-1);
  }
}

function itemOf(ctx: Reads, owner: Owner, reader: Reader, episode: FeedEpisodeRecord): FeedEpisode {
  const item = episodeOf(withAccess(ctx, episode.id, reader), owner, episode);
  return reader.finish ? reader.finish(item, episode) : item;
}

export async function* onePage(page: FeedEpisode[]): AsyncGenerator<FeedEpisode[], void> {
  yield page;
}

/** The URLs of one episode's files that work for the reader. */
export function withAccess(ctx: Reads, episodeId: number, { access }: Access): Reads {
  if (!access) return ctx;
  const { urls } = ctx;
  const sign = (url: string) => withFeedAccess(url, access(episodeId));
  const signed: typeof urls = {
    ...urls,
    audio: (id, slug) => sign(urls.audio(id, slug)),
    chapters: (id) => sign(urls.chapters(id)),
    transcript: (id, slug, format) => sign(urls.transcript(id, slug, format)),
  };
  return { ...ctx, urls: signed };
}

/** `door`: whose listeners read the feed; it states the length of what they get. Null: the files themselves. */
type Part = { last?: Cursor; skip?: number; size: number; where: SQL; door: ListenerDoor | null };

/** Leaves out episodes without a known file size, because an enclosure must state it. */
export function listFeedEpisodes(ctx: Reads, productIds: number[], { last, skip = 0, size, where, door }: Part) {
  return ctx.db
    .select(feedColumns)
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .leftJoin(episodeTranscripts, eq(episodeTranscripts.episodeId, episodes.id))
    .leftJoin(servedRenditions, door === null ? sql`false` : isServedAt(door))
    .where(
      and(
        productIds.length === 1 ? eq(episodes.productId, productIds[0]!) : inArray(episodes.productId, productIds),
        where,
        gt(episodes.audioBytes, 0),
        last && sql`(${episodes.releaseAt}, ${episodes.id}) < (${last.cursor}::timestamptz, ${last.id})`,
      ),
    )
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(size)
    .offset(skip);
}

type FeedEpisodeRecord = Awaited<ReturnType<typeof listFeedEpisodes>>[number];

export function showOf(
  ctx: Reads,
  { product, creator }: Owner,
  { self, name, access }: Omit<Reader, 'where'>,
): FeedShow {
  const isPrivate = access !== null;
  return {
    title: product.namesListener && name ? `${product.name} (${name})` : product.name,
    description: linkDescription(toHtmlParagraphs(product.description)),
    link: ctx.urls.product(creator.domain, product.slug),
    self,
    language: product.language,
    author: product.author || creator.name,
    ...ownerOf(product),
    copyright: product.copyright || undefined,
    funding: fundingOf(product),
    cover: { url: ctx.urls.media(coverUrls(product.coverKey).jpg) },
    categories: categoriesOf(product.category),
    explicit: product.explicit,
    order: KINDS[product.kind].feedType,
    complete: product.complete,
    guid: product.feedGuid,
    // creators may leave at any time, so other hosts may import the public feed
    locked: isPrivate,
    hidden: isPrivate,
    changedAt: latest(product.changedAt, creator.updatedAt),
  };
}

/** Only a verified address: feeds are public, and directories send codes to it. */
function ownerOf({ ownerName, ownerEmail, ownerEmailVerifiedAt }: Owner['product']) {
  return ownerEmail && ownerEmailVerifiedAt ? { ownerName: ownerName || undefined, ownerEmail } : {};
}

function fundingOf({ fundingUrl, fundingText, name }: Owner['product']): FeedFunding[] {
  return fundingUrl ? [{ url: fundingUrl, text: fundingText || name }] : [];
}

function categoriesOf(id: number): FeedCategory[] {
  const path = categoryPath(id);
  if (!path) return [];
  return [path.parent ? { name: path.parent.name, sub: path.category.name } : { name: path.category.name }];
}

export function episodeOf(ctx: Reads, { product, creator }: Owner, episode: FeedEpisodeRecord): FeedEpisode {
  const link = ctx.urls.episode(creator.domain, product.slug, episode.slug);
  return {
    guid: episode.guid,
    title: episode.name,
    description: shownDescription(episode, link),
    link,
    type: episode.type === 'trailer' ? 'trailer' : 'full',
    audio: { url: ctx.urls.audio(episode.id, episode.slug), bytes: episode.audioBytes },
    durationMs: episode.durationMs,
    publishedAt: episode.releaseAt ?? product.createdAt,
    cover: episode.coverKey ? ctx.urls.media(coverUrls(episode.coverKey).jpg) : undefined,
    season: episode.season,
    number: episode.number,
    explicit: episode.explicit,
    texts: episode.aiContent ? [{ purpose: 'ai-content', text: 'true' }] : undefined,
    persons: episode.people.map(({ name, role, url }) => ({ name, role, link: url ?? undefined })),
    chapters: episode.hasChapters ? { url: ctx.urls.chapters(episode.id) } : undefined,
    soundbites: soundbitesOf(episode),
    transcripts: transcriptsOf(ctx, episode),
  };
}

/** At the times at which the feed's readers hear them. */
function soundbitesOf({ soundbites, isServed, parts }: FeedEpisodeRecord): FeedSoundbite[] | undefined {
  // a row from before the parts were kept is written again on the next day
  if (!soundbites || (isServed && !parts)) return undefined;
  return soundbites.flatMap(({ title, ...span }) => {
    const { startMs, endMs } = parts ? heardSpan(parts, span) : span;
    return endMs > startMs ? [{ startMs, durationMs: endMs - startMs, title }] : [];
  });
}

/** All readers of a feed may hear its episodes, and so may read their transcripts. */
function transcriptsOf({ urls }: Reads, { id, slug, transcript }: FeedEpisodeRecord): FeedTranscript[] {
  if (!transcript) return [];
  // apps that read a format with times need no other one
  const formats = formatsOf(transcript.source !== 'text').filter(
    (name) => transcript.source === 'text' || (name !== 'txt' && name !== 'html'),
  );
  return formats.map((format) => ({
    url: urls.transcript(id, slug, format),
    type: TRANSCRIPT_TYPES[format],
    language: transcript.language,
  }));
}

function latest(one: Date, other: Date): Date {
  if (one > other) return one;
  return other;
}
