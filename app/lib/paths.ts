import { useLocation } from '@remix-run/react';
import { useMemo } from 'react';
import { isLanguage, type Language } from '~/locales/languages';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { languageOfPath } from './i18n';

/** What stands before every path of a page whose address names its language. */
export type Prefix = '' | `/${Language}`;

/** `/es/login` → '/es'; `/login` → ''. */
export function prefixOf(pathname: string): Prefix {
  const language = languageOfPath(pathname);
  return language ? `/${language}` : '';
}

/** The same page in another language: the prefix is switched, or added. */
export function inLanguage(pathname: string, language: Language): string {
  const rest = pathname.slice(prefixOf(pathname).length);
  return `/${language}${rest === '/' ? '' : rest}`;
}

type ProductRef = { id: number; kind: KindName };
type EpisodeRef = { id: number; productId: number; kind: KindName };

/** Every address of the app's own pages, in the language of the page that asks. */
export function pathsIn(prefix: Prefix) {
  const product = ({ id, kind }: ProductRef) => `${prefix}/${KINDS[kind].path}/${id}`;
  const ofProduct = ({ productId, kind }: EpisodeRef) => product({ id: productId, kind });
  const withNext = (path: string) => (next?: string) =>
    next ? `${prefix}${path}?next=${encodeURIComponent(next)}` : prefix + path;
  return {
    home: prefix || '/',
    login: withNext('/login'),
    register: withNext('/register'),
    logout: `${prefix}/logout`,
    verifyEmail: `${prefix}/verify-email`,
    welcome: `${prefix}/welcome`,
    dashboard: `${prefix}/dashboard`,
    products: `${prefix}/products`,
    createProduct: `${prefix}/products/create`,
    creatorPage: `${prefix}/creator-page`,
    product,
    editProduct: ({ id, kind }: ProductRef) => `${prefix}/edit/${KINDS[kind].path}/${id}`,
    episodes: (ref: ProductRef) => `${product(ref)}/episodes`,
    createEpisode: (ref: ProductRef) => `${product(ref)}/episodes/create`,
    episode: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}`,
    editEpisode: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/edit/${ref.id}`,
  };
}

export type Paths = ReturnType<typeof pathsIn>;

/** Paths that keep the language of the page that is shown. */
export function usePaths(): Paths {
  const { pathname } = useLocation();
  const prefix = prefixOf(pathname);
  return useMemo(() => pathsIn(prefix), [prefix]);
}

/** Where a creator's pages hang: '' on the creator's own host, `/@domain` elsewhere. */
export type PublicBase = '' | `/@${string}`;

/** Addresses of a creator's public pages, relative to the host that serves them. */
export function publicPathsIn(prefix: Prefix, base: PublicBase) {
  const at = (path: string) => prefix + base + path || '/';
  return {
    creator: at(''),
    product: (slug: string) => at(`/p/${slug}`),
    episode: (slug: string, episode: string) => at(`/p/${slug}/${episode}`),
    /** Feeds have no language but their product's. */
    feed: (slug: string) => `${base}/p/${slug}/feed.xml`,
  };
}

export type PublicPaths = ReturnType<typeof publicPathsIn>;

/** The public pages' addresses of the page that is shown, on whichever host form. */
export function usePublicPaths(): PublicPaths {
  const { pathname } = useLocation();
  return useMemo(() => publicPathsIn(prefixOf(pathname), publicBaseOf(pathname)), [pathname]);
}

/** `/es/@ada/p/x` → '/@ada'; `/p/x` → ''. */
export function publicBaseOf(pathname: string): PublicBase {
  const [first, second] = pathname.split('/').slice(1);
  const handle = isLanguage(first) ? second : first;
  return handle?.startsWith('@') ? `/${handle as `@${string}`}` : '';
}

/** One address for one episode's bytes on every host; only the id matters. */
export function audioPath(episodeId: number, slug: string): string {
  return `/audio/${episodeId}/${slug}.mp3`;
}

/**
 * Takes a `next` from the address line only where it stays with us: a path that no browser reads as a host, or an
 * address of the app's or a creator's host.
 */
export function safeNext(next: string | null, own: { appUrl: string; publicRoot: string }): string | null {
  if (!next) return null;
  if (/^\/(?![/\\])[^\\\s]*$/.test(next)) return next;
  if (!URL.canParse(next)) return null;
  const url = new URL(next);
  const app = new URL(own.appUrl);
  const isOurs = url.host === app.host || url.host.endsWith(`.${own.publicRoot}`);
  return isOurs && url.protocol === app.protocol ? url.href : null;
}
