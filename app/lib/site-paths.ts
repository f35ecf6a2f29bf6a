import { useMemo } from 'react';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';
import { SLUGS, slugInLanguage } from '~/locales/slugs';
import {
  ARCHIVE_PATH,
  CONTACT_PATH,
  editionPath,
  episodePath,
  feedLinksPath,
  LOGIN_PATH,
  MY_FEED_PATH,
  NEWSLETTER_FORM_PATH,
  productPath,
  REGISTER_PAYMENT_PATH,
  reportPath,
  SAVED_PATH,
  SUBSCRIPTIONS_PATH,
  soundbitePagePath,
} from '~/server/base/public-paths';
import { useLocation } from './router';

/** The language prefix of a path. All links on a page whose URL names its language start with it. */
export type Prefix = '' | `/${Language}`;

/** The language of a prefix. */
export const languageOf = (prefix: Prefix): Language => (prefix.slice(1) || DEFAULT_LANGUAGE) as Language;

/** `/es/login` → '/es'; `/login` → ''. */
export function prefixOf(pathname: string): Prefix {
  const first = pathname.split('/')[1];
  return isLanguage(first) ? `/${first}` : '';
}

/** The same page in another language: replaces the prefix, or adds one, and the slug of a page that has two. */
export function pathInLanguage(pathname: string, language: Language): string {
  const rest = pathname.slice(prefixOf(pathname).length).replace(/[^/]+/, (first) => slugInLanguage(first, language));
  return `/${language}${rest === '/' ? '' : rest}`;
}

/** Returns paths of pages that lead back to `next` afterwards. */
export const withNextIn = (prefix: Prefix) => (path: string) => (next?: string) =>
  next ? `${prefix}${path}?next=${encodeURIComponent(next)}` : prefix + path;

/** Keeps the result for each prefix: a page asks for its paths in dozens of components. */
export function oncePerPrefix<Paths>(build: (prefix: Prefix) => Paths): (prefix: Prefix) => Paths {
  const kept = new Map<Prefix, Paths>();
  return (prefix) => {
    const paths = kept.get(prefix) ?? build(prefix);
    kept.set(prefix, paths);
    return paths;
  };
}

/**
 * Paths of the app's own pages that listeners' pages link to. Every listener loads this file, so paths.ts has the
 * others.
 */
export const sitePathsIn = oncePerPrefix((prefix) => {
  const withNext = withNextIn(prefix);
  const language = languageOf(prefix);
  return {
    home: prefix || '/',
    contact: prefix + CONTACT_PATH,
    /** `page`: the path on the app's host of the page that the report is about. */
    report: (page: string) => prefix + reportPath(page),
    /** The episodes that the browser keeps for a host; each host has this page. */
    saved: prefix + SAVED_PATH,
    blog: `${prefix}/${SLUGS.blog[language]}`,
    discover: `${prefix}/${SLUGS.discover[language]}`,
    help: `${prefix}/${SLUGS.help[language]}`,
    pricing: `${prefix}/${SLUGS.pricing[language]}`,
    privacy: `${prefix}/${SLUGS.privacy[language]}`,
    terms: `${prefix}/${SLUGS.terms[language]}`,
    cookies: `${prefix}/${SLUGS.cookies[language]}`,
    dataProcessing: `${prefix}/${SLUGS['data-processing'][language]}`,
    imprint: `${prefix}/${SLUGS.imprint[language]}`,
    login: withNext(LOGIN_PATH),
    register: withNext('/register'),
    logout: `${prefix}/logout`,
    profile: `${prefix}/profile`,
    /** The first step of a creator: the address of their page. */
    claimPage: `${prefix}/start/page`,
    dashboard: `${prefix}/dashboard`,
    /** The shows that a listener follows or has bought. */
    myFeed: prefix + MY_FEED_PATH,
    /** The subscriptions that a listener pays for. */
    subscriptions: prefix + SUBSCRIPTIONS_PATH,
    /** The private feed of one show. */
    feedLinks: (productId: number | null) => prefix + feedLinksPath(productId),
    /** The page that sells a show. */
    registerPayment: ({ productId, interval }: { productId: number; interval: string }) =>
      `${prefix}${REGISTER_PAYMENT_PATH}?product=${productId}&interval=${interval}`,
  };
});

/** Paths in the language of the current page. */
export function useSitePaths() {
  return sitePathsIn(prefixOf(useLocation().pathname));
}

/** The base of a creator's pages: '' on the creator's own host, `/@domain` elsewhere. */
export type PublicBase = '' | `/@${string}`;

/** Paths of a creator's public pages, relative to the host that serves them. */
export function publicPathsIn(prefix: Prefix, base: PublicBase) {
  const at = (path: string) => prefix + base + path || '/';
  return {
    creator: at(''),
    product: (slug: string) => at(productPath(slug)),
    episode: (slug: string, episode: string) => at(episodePath(slug, episode)),
    soundbite: (slug: string, episode: string, id: number) => at(soundbitePagePath(slug, episode, id)),
    newsletterForm: at(NEWSLETTER_FORM_PATH),
    archive: at(ARCHIVE_PATH),
    edition: (slug: string) => at(editionPath(slug)),
  };
}

export type PublicPaths = ReturnType<typeof publicPathsIn>;

/** Paths of public pages in the language and on the host form of the current page. */
export function usePublicPaths(): PublicPaths {
  const { pathname } = useLocation();
  return useMemo(() => publicPathsIn(prefixOf(pathname), publicBaseOf(pathname)), [pathname]);
}

/**
 * The path of a creator's, a show's or an episode's page on the app's host, without language: `/es/p/x` of ada →
 * `/@ada/p/x`. Null for other pages, such as previews, whose addresses are secret.
 */
export function pathOnApp(pathname: string, domain: string): string | null {
  const rest = pathname.slice(prefixOf(pathname).length + publicBaseOf(pathname).length);
  if (rest === '' || rest === '/') return `/@${domain}`;
  return rest.startsWith('/p/') ? `/@${domain}${rest}` : null;
}

/** `/es/@ada/p/x` → '/@ada'; `/p/x` → ''. */
export function publicBaseOf(pathname: string): PublicBase {
  const [first, second] = pathname.split('/').slice(1);
  const handle = isLanguage(first) ? second : first;
  return handle?.startsWith('@') ? `/${handle as `@${string}`}` : '';
}
