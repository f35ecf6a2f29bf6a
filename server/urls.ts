/** How addresses are made; the settings come from the environment. */
export type UrlSettings = {
  /** `http://altavoz.localhost:3000`, without a slash at its end. */
  appUrl: string;
  /** `altavoz.localhost:3000`: creators' hosts stand below it. */
  publicRoot: string;
  creatorHostPrefix: string;
  creatorUrls: 'host' | 'path';
  /** Base of images and the like where a CDN serves them. */
  mediaUrl: string | null;
};

export type Urls = ReturnType<typeof makeUrls>;

/** Absolute addresses of the platform's own pages and bytes. */
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
    product: (domain: string, slug: string) => creator(domain, `/p/${slug}`),
    episode: (domain: string, product: string, episode: string) => creator(domain, `/p/${product}/${episode}`),
    feed: (domain: string, slug: string) => creator(domain, `/p/${slug}/feed.xml`),
    /** Stays the same whatever the creator's domain or the episode's slug become: podcast apps keep it. */
    audio: (episodeId: number, slug: string) => app(`/audio/${episodeId}/${slug}.mp3`),
    media: (path: string) => `${settings.mediaUrl ?? settings.appUrl}${path}`,
  };
}
