/**
 * The directories and apps in which a show can be listed, in the order of the panel. A new directory needs a row here,
 * and its name and its steps in `locales/*\/distribution.json`.
 */
type Directory = {
  name: string;
  /** The page where creators submit a show; null for an app that takes its shows from another directory. */
  submitUrl: string | null;
  /** The hosts of its pages about shows. */
  hosts: readonly string[];
  /** The pattern of the path of a page about a show. */
  path?: RegExp;
  /** Whether the directory sends a code to the owner's address in the feed. */
  asksForEmail: boolean;
};

export const DIRECTORIES = {
  apple: {
    name: 'Apple Podcasts',
    submitUrl: 'https://podcastsconnect.apple.com/my-podcasts/new-feed',
    hosts: ['podcasts.apple.com', 'itunes.apple.com'],
    path: /\/id\d+$/,
    asksForEmail: false,
  },
  spotify: {
    name: 'Spotify',
    submitUrl: 'https://creators.spotify.com/dash/submit',
    hosts: ['open.spotify.com'],
    path: /^\/(?:intl-[a-z]{2}\/)?show\/[A-Za-z0-9]{22}$/,
    asksForEmail: true,
  },
  youtube: {
    name: 'YouTube Music',
    submitUrl: 'https://studio.youtube.com/',
    hosts: ['music.youtube.com', 'www.youtube.com', 'youtube.com'],
    asksForEmail: true,
  },
  amazon: {
    name: 'Amazon Music',
    submitUrl: 'https://podcasters.amazon.com/submit-rss',
    hosts: [
      'music.amazon.com',
      'music.amazon.es',
      'music.amazon.co.uk',
      'music.amazon.de',
      'music.amazon.fr',
      'music.amazon.it',
      'music.amazon.com.mx',
      'music.amazon.com.br',
      'music.amazon.ca',
      'music.amazon.com.au',
      'music.amazon.in',
      'music.amazon.co.jp',
      'www.audible.com',
      'www.audible.es',
    ],
    asksForEmail: true,
  },
  pocketcasts: {
    name: 'Pocket Casts',
    submitUrl: 'https://pocketcasts.com/submit/',
    hosts: ['pca.st', 'pocketcasts.com', 'play.pocketcasts.com'],
    asksForEmail: false,
  },
  podcastindex: {
    name: 'Podcast Index',
    submitUrl: 'https://podcastindex.org/add',
    hosts: ['podcastindex.org'],
    asksForEmail: false,
  },
  overcast: { name: 'Overcast', submitUrl: null, hosts: ['overcast.fm'], asksForEmail: false },
  castro: { name: 'Castro', submitUrl: null, hosts: ['castro.fm'], asksForEmail: false },
  deezer: {
    name: 'Deezer',
    submitUrl: 'https://podcasters.deezer.com/',
    hosts: ['www.deezer.com', 'deezer.com'],
    asksForEmail: true,
  },
  iheart: {
    name: 'iHeart',
    submitUrl: 'https://podcasters.iheart.com/',
    hosts: ['www.iheart.com', 'iheart.com'],
    asksForEmail: true,
  },
  podcastaddict: {
    name: 'Podcast Addict',
    submitUrl: 'https://podcastaddict.com/submit',
    hosts: ['podcastaddict.com'],
    asksForEmail: false,
  },
  ivoox: {
    name: 'iVoox',
    submitUrl: 'https://podcasters.ivoox.com/',
    hosts: ['www.ivoox.com', 'ivoox.com', 'go.ivoox.com'],
    asksForEmail: true,
  },
} as const satisfies Record<string, Directory>;

export type DirectoryName = keyof typeof DIRECTORIES;
export const DIRECTORY_NAMES = Object.keys(DIRECTORIES) as [DirectoryName, ...DirectoryName[]];

/** Whether the URL is a page about a show on the directory's own host: it uses HTTPS and has a matching path. */
export function isListing(name: DirectoryName, url: URL): boolean {
  const { hosts, path = /^\/[^/]/ }: Directory = DIRECTORIES[name];
  return url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname) && path.test(url.pathname);
}

/** Whether this is the page of a show on Spotify. */
export const isSpotifyShow = (url: URL): boolean => isListing('spotify', url);

/** Listings in the order of the directories, without those of directories that no longer exist here. */
export function inDirectoryOrder(listings: Record<string, string>): { name: string; url: string }[] {
  return DIRECTORY_NAMES.flatMap((name) => {
    const url = listings[name];
    return url ? [{ name: DIRECTORIES[name].name, url }] : [];
  });
}
