/**
 * Services that count downloads by an address before that of an episode's audio. Each documents the same rule: the
 * prefix is followed by the audio's address without `https://`, and that may begin with another prefix.
 *
 * op3: https://github.com/skymethod/op3, with the show's guid as `,pg=…` if its owner wants to
 * podtrac: http://www.podtrac.com/manual-feed-edit, with the extension of the files, which are MP3 here
 * blubrry: https://blubrry.com/support/statistics-documentation/instructions-for-developers/, with the program's keyword
 * podcorn: https://help.simplecast.com/en/articles/4307690-how-to-add-an-analytics-prefix-url-to-your-rss-feed
 * The others give their prefixes to customers only; their forms are those of public feeds.
 */
const SERVICES = {
  op3: /^https:\/\/op3\.dev\/e(?:,pg=[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\/$/,
  podtrac: /^https:\/\/dts\.podtrac\.com\/redirect\.mp3\/$/,
  blubrry: /^https:\/\/media\.blubrry\.com\/[\w-]{1,60}\/$/,
  podcorn: /^https:\/\/pdcn\.co\/e\/$/,
  podscribe: /^https:\/\/pscrb\.fm\/rss\/p\/$/,
  spotify: /^https:\/\/(?:pdst\.fm|prfx\.byspotify\.com)\/e\/$/,
  magellan: /^https:\/\/mgln\.ai\/e\/[\w-]{1,40}\/$/,
  claritas: /^https:\/\/(?:clrtpod\.com\/m|claritaspod\.com\/measure)\/$/,
} as const;

type Service = keyof typeof SERVICES;

/** The service of a prefix; null for unknown ones. */
export const serviceOfPrefix = (prefix: string): Service | null =>
  (Object.keys(SERVICES) as Service[]).find((name) => SERVICES[name].test(prefix)) ?? null;

const SCHEME = 'https://';

/** An address without HTTPS, as on a developer's machine, can't be reached by the services. */
export const takesPrefixes = (url: string): boolean => url.startsWith(SCHEME);

/** The address of an audio file with prefixes, the first one outermost; an address that takes none stays. */
export function withPrefixes(url: string, prefixes: readonly string[]): string {
  if (!takesPrefixes(url)) return url;
  return prefixes.reduceRight((address, prefix) => prefix + address.slice(SCHEME.length), url);
}
