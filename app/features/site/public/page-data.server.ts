import { type AppLoadContext, redirect } from '@remix-run/node';
import type { Track } from '~/app/features/listener/player/state';
import type { Reader } from '~/app/lib/doors.server';
import { prefixOf, publicBaseOf, publicPathsIn } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { formatDate } from '~/server/base/formats';
import { splitAtLinks, type TextPart } from '~/server/base/html';
import { audioPath, oembedPath } from '~/server/base/public-paths';
import { type PageBrand, toPageBrand } from '~/server/domain/creators/rules';
import type { PageAddress } from '~/server/domain/pages/find-page';
import { KINDS } from '~/server/domain/products/kinds';
import { inDirectoryOrder } from '~/server/domain/reference/directories';
import { EMBED_SIZES } from '~/server/limits/embeds';
import type { Caller } from '~/server/trpc/caller';
import { toExcerpt } from './excerpt';
import { type LocalizedUrls, type PageMetadata, urlPerLanguage } from './page-meta';

export type ProductAnswer = Extract<Awaited<ReturnType<Caller['pages']['product']>>, { moved: null }>;
export type ApiEpisode = ProductAnswer['episodes']['items'][number];
export type ApiProduct = ProductAnswer['product'];
export type ApiCreator = ProductAnswer['creator'];

const EXCERPT = 220;

/** The requested creator's domain; null on the app's own host. */
export function domainOf({ site }: AppLoadContext, handle: string | undefined): string | null {
  if (handle !== undefined) return handle.startsWith('@') ? handle.slice(1).toLowerCase() : null;
  return site.kind === 'creator' ? site.domain : null;
}

/** Tags for the page cache. A change to the creator or a product purges the pages with that tag. */
export function cacheTags(
  creator: ApiCreator,
  products: Pick<ApiProduct, 'id'>[],
): { headers: Record<string, string> } {
  const tags = [`creator:${creator.id}`, ...products.map(({ id }) => `product:${id}`)];
  return { headers: { 'x-cache-tags': tags.join(' ') } };
}

/** Redirects permanently to a page's current URL, in the same language and host form. */
export function redirectToMoved(
  context: AppLoadContext,
  request: Request,
  { domain, slug, episodeSlug, soundbiteId }: PageAddress,
): Response {
  const { pathname } = new URL(request.url);
  const base = publicBaseOf(pathname);
  const prefix = prefixOf(pathname);
  const paths = publicPathsIn(prefix, base && `/@${domain}`);
  const pathOf = () => {
    if (!slug) return paths.creator;
    if (!episodeSlug) return paths.product(slug);
    return soundbiteId ? paths.soundbite(slug, episodeSlug, soundbiteId) : paths.episode(slug, episodeSlug);
  };
  const path = pathOf();
  return redirect(base ? path : context.urls.creator(domain, path), 301);
}

/** The canonical URL of a public page in each language. */
export function localizedUrls({ urls }: AppLoadContext, domain: string, path: string): LocalizedUrls {
  return urlPerLanguage((language) => urls.creator(domain, path, language));
}

/** The embedded player of a page. @param isPlayable whether visitors can play the page's audio */
export function embedOf(
  { urls }: AppLoadContext,
  { type, id, url, isPlayable }: { type: 'episode' | 'product'; id: number; url: string; isPlayable: boolean },
): PageMetadata['embed'] {
  const { width, height } = EMBED_SIZES;
  return {
    oembed: { json: urls.app(oembedPath(url, 'json')), xml: urls.app(oembedPath(url, 'xml')) },
    frame: isPlayable ? { url: urls.embed(type, id), width, height: height[type] } : null,
  };
}

export function embedOfEpisode(
  context: AppLoadContext,
  { creator, product, episode }: { creator: ApiCreator; product: ApiProduct; episode: ApiEpisode },
): PageMetadata['embed'] {
  return embedOf(context, {
    type: 'episode',
    id: episode.id,
    url: context.urls.episode(creator.domain, product.slug, episode.slug),
    // owners can also play episodes that visitors can't
    isPlayable:
      episode.url !== null &&
      episode.status === 'published' &&
      episode.type !== 'private' &&
      episode.earlyUntil === null,
  });
}

/** Links to a creator's pages, relative or absolute as the linking page needs them. */
export type PublicUrls = {
  creator: string;
  product: (slug: string) => string;
  episode: (slug: string, episode: string) => string;
};

/** Links within the creator's own pages. */
export function urlsOnThisHost(request: Request): PublicUrls {
  const { pathname } = new URL(request.url);
  return publicPathsIn(prefixOf(pathname), publicBaseOf(pathname));
}

/**
 * Links from the app to a creator's pages. They lead to the creator's host if the app runs under a host name that has
 * subdomains.
 */
export function urlsFromApp({ urls, origin }: AppLoadContext, request: Request, domain: string): PublicUrls {
  const prefix = prefixOf(new URL(request.url).pathname);
  const findsHosts = urls.settings.creatorUrls === 'host' && /[a-z]\./i.test(new URL(origin).hostname);
  const paths = publicPathsIn(prefix, findsHosts ? '' : `/@${domain}`);
  if (!findsHosts) return paths;
  return {
    creator: urls.creator(domain, paths.creator),
    product: (slug) => urls.creator(domain, paths.product(slug)),
    episode: (slug, episode) => urls.creator(domain, paths.episode(slug, episode)),
  };
}

/** The player's data of an episode. The expanded player loads the description. */
export function toTrack(episode: ApiEpisode, urls: PublicUrls): Track | null {
  return episode.hasAccess ? trackOf(episode, urls) : null;
}

export function trackOf(episode: ApiEpisode, urls: PublicUrls): Track {
  return {
    id: episode.id,
    audioType: episode.kind,
    url: audioPath(episode.id, episode.slug),
    cover: episode.cover.webp[320],
    coverWebp: episode.cover.webp[96],
    podcastName: episode.product.name,
    episodeName: episode.name,
    hostedBy: episode.creator.name,
    description: null,
    episodeRedirectUrl: urls.episode(episode.product.slug, episode.slug),
    creatorDomainUrl: urls.creator,
  };
}

export type ListedEpisode = {
  id: number;
  name: string;
  slug: string;
  productSlug: string;
  excerpt: string;
  type: ApiEpisode['type'];
  releaseDate: string | null;
  durationSeconds: number | null;
  season: number | null;
  number: number | null;
  /** The show's language tag. */
  language: string;
  /** Set only if the visitor waits for the episode. */
  availableAt?: string;
  /** Set only for episodes of a series. */
  isPart?: true;
  track: Track | null;
};

/** Whether a show is heard from its first part on. */
export const isInParts = ({ kind }: Pick<ApiProduct, 'kind'>): boolean => KINDS[kind].playOrder === 'oldest_first';

/** An episode in a list, with only the displayed fields, because all of them are embedded in the page. */
export function toListedEpisode(episode: ApiEpisode, language: string, urls: PublicUrls): ListedEpisode {
  const { id, name, slug, type, durationSeconds, season, number } = episode;
  return {
    id,
    name,
    slug,
    type,
    durationSeconds,
    season,
    number,
    language,
    productSlug: episode.product.slug,
    excerpt: toExcerpt(episode.description, EXCERPT),
    releaseDate: episode.releaseDate?.toISOString() ?? null,
    ...(episode.availableAt && { availableAt: episode.availableAt.toISOString() }),
    ...(isInParts(episode) && { isPart: true }),
    track: toTrack(episode, urls),
  };
}

export type CreatorCard = {
  name: string;
  domain: string;
  brand: PageBrand | null;
  about: { title: ApiCreatorAbout['title']; text: TextPart[] } | null;
  avatar: string | null;
  /** A small picture for the header. */
  avatarSmall: string | null;
};
type ApiCreatorAbout = NonNullable<ApiCreator['about']>;

export function toCreatorCard({ name, domain, brand, about, avatar }: ApiCreator): CreatorCard {
  return {
    name,
    domain,
    brand: brand && toPageBrand(brand),
    about: about && { title: about.title, text: splitAtLinks(about.text) },
    avatar: avatar?.webp[320] ?? null,
    avatarSmall: avatar?.webp[96] ?? null,
  };
}

export type ProductCard = {
  name: string;
  slug: string;
  kind: ApiProduct['kind'];
  language: string;
  cover: ApiProduct['cover'];
  episodesCount: number;
};

export function toProductCard({ name, slug, kind, language, cover, fullEpisodesCount }: ApiProduct): ProductCard {
  return { name, slug, kind, language, cover, episodesCount: fullEpisodesCount };
}

/** The show's pages in directories, by the directory's name. */
export function listingsOf({ listings, spotifyShowUrl }: ApiProduct): { name: string; url: string }[] {
  return inDirectoryOrder({ ...(spotifyShowUrl && { spotify: spotifyShowUrl }), ...listings });
}

/**
 * When the episode becomes available to a visitor who waits for it, or to all visitors if subscribers hear it first.
 */
export function opensText({ availableAt, earlyUntil }: ApiEpisode, { language, locale }: Reader): string | null {
  const at = availableAt ?? earlyUntil;
  if (!at) return null;
  const date = formatDate(at, locale);
  return translator(language, 'buying')(availableAt ? 'drip.opens' : 'early.opens', { date });
}
