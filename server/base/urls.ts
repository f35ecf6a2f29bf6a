import type { Language } from '~/locales/languages';
import {
  audioPath,
  chaptersPath,
  embedPath,
  episodePath,
  feedPath,
  privateFeedPath,
  productPath,
  promoPath,
  transcriptPath,
} from './public-paths';

/** The hosts and bases of URLs, from the environment. */
export type UrlSettings = {
  /** `http://altavoz.localhost:3000`, without trailing slash. */
  appUrl: string;
  /** `altavoz.localhost:3000`: creators' hosts are its subdomains. */
  publicRoot: string;
  creatorHostPrefix: string;
  creatorUrls: 'host' | 'path';
  /** Base URL of media that a CDN serves; null without a CDN. */
  mediaUrl: string | null;
};

/** A creator's page in the one form that the settings select: on the creator's own host or below the app's. */
export function creatorUrl(
  { appUrl, publicRoot, creatorHostPrefix, creatorUrls }: UrlSettings,
  { domain, path, language }: { domain: string; path: string; language: Language | null },
): string {
  const prefix = language ? `/${language}` : '';
  if (creatorUrls === 'path') return `${appUrl}${prefix}/@${domain}${path === '/' ? '' : path}`;
  const scheme = appUrl.slice(0, appUrl.indexOf('//'));
  const root = `${scheme}//${creatorHostPrefix}${domain}.${publicRoot}`;
  return `${root}${prefix}${prefix && path === '/' ? '' : path}`;
}

/** Whether a URL is one of this installation. */
export function isOwnUrl(url: string, { appUrl, publicRoot }: Pick<UrlSettings, 'appUrl' | 'publicRoot'>): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).host.replace(/\.(?=:|$)/, '');
  return host === new URL(appUrl).host || host === publicRoot || host.endsWith(`.${publicRoot}`);
}

type Hosts = Pick<UrlSettings, 'appUrl' | 'publicRoot' | 'creatorHostPrefix'>;

/** The domain of a creator in the address of their page, with or without `https://`, or in `@domain`; null in other texts. */
export function domainInAddress(text: string, hosts: Hosts): string | null {
  const [, short] = /^@([a-z0-9-]+)$/i.exec(text) ?? [];
  if (short !== undefined) return short.toLowerCase();
  const address = text.includes('://') ? text : `https://${text}`;
  if (!isOwnUrl(address, hosts)) return null;
  const { host, pathname } = new URL(address);
  const [, named] = /^(?:\/[a-z]{2})?\/@([a-z0-9-]+)/i.exec(pathname) ?? [];
  if (named !== undefined) return named.toLowerCase();
  const { publicRoot, creatorHostPrefix: prefix } = hosts;
  const label = host.endsWith(`.${publicRoot}`) ? host.slice(0, -publicRoot.length - 1) : '';
  return label.slice(label.startsWith(prefix) ? prefix.length : 0) || null;
}

export type Urls = ReturnType<typeof makeUrls>;

/** Absolute URLs of our pages, feeds and media. */
export function makeUrls(settings: UrlSettings) {
  const app = (path: string) => `${settings.appUrl}${path}`;
  const creator = (domain: string, path = '/', language: Language | null = null) =>
    creatorUrl(settings, { domain, path, language });
  return {
    settings,
    isOwn: (url: string) => isOwnUrl(url, settings),
    domainIn: (address: string) => domainInAddress(address, settings),
    app,
    creator,
    product: (domain: string, slug: string) => creator(domain, productPath(slug)),
    episode: (domain: string, product: string, episode: string) => creator(domain, episodePath(product, episode)),
    feed: (domain: string, slug: string) => creator(domain, feedPath(slug)),
    privateFeed: (token: string) => app(privateFeedPath(token)),
    /** Works after the domain or the slug changes: podcast apps store this URL. */
    audio: (episodeId: number, slug: string) => app(audioPath(episodeId, slug)),
    /** `key` is that of the stored file, so that another promo has another URL. */
    promo: (episodeId: number, key: string) => app(promoPath(episodeId, key)),
    /** Podcasting 2.0 chapters, beside their audio. */
    chapters: (episodeId: number) => app(chaptersPath(episodeId)),
    transcript: (episodeId: number, slug: string, format: string) => app(transcriptPath(episodeId, slug, format)),
    /** The player for frames of other sites: on the app's host, because a creator's domain can change. */
    embed: (type: 'episode' | 'product', id: number) => app(embedPath(type, id)),
    media: (path: string) => `${settings.mediaUrl ?? settings.appUrl}${path}`,
  };
}
