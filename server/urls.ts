import { audioPath, episodePath, feedPath, productPath } from './public-paths';

/** Which hosts and bases URLs use; from the environment. */
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

export type Urls = ReturnType<typeof makeUrls>;

/** Absolute URLs of our pages, feeds and media. */
export function makeUrls(settings: UrlSettings) {
  const scheme = new URL(settings.appUrl).protocol;
  const app = (path: string) => `${settings.appUrl}${path}`;
  const creator = (domain: string, path = '/') =>
    settings.creatorUrls === 'path'
      ? app(`/@${domain}${path === '/' ? '' : path}`)
      : `${scheme}//${settings.creatorHostPrefix}${domain}.${settings.publicRoot}${path}`;
  return {
    settings,
    app,
    creator,
    product: (domain: string, slug: string) => creator(domain, productPath(slug)),
    episode: (domain: string, product: string, episode: string) => creator(domain, episodePath(product, episode)),
    feed: (domain: string, slug: string) => creator(domain, feedPath(slug)),
    /** Works after the domain or the slug changes: podcast apps store this URL. */
    audio: (episodeId: number, slug: string) => app(audioPath(episodeId, slug)),
    media: (path: string) => `${settings.mediaUrl ?? settings.appUrl}${path}`,
  };
}
