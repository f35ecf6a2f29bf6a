import { LIMITS } from '../../limits';
import { writeEpisode, writeTrailer } from './items';
import { cutHtml, element, empty, html, nest, rfc2822, richText } from './markup';
import type { FeedCategory, FeedDocument, FeedEpisode, FeedShow } from './model';
import { frequency, funding, images, licence, locations, persons, podroll, texts } from './podcasting';

/** A text that was longer than directories take: what of it was written. `guid` is of the episode, null of the show. */
export type FeedWarning = { kind: 'description_cut' | 'notes_cut'; guid: string | null; bytes: number };
export type Warn = (warning: FeedWarning) => void;

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:psc="http://podlove.org/simple-chapters"',
].join(' ');
const SPOTIFY_NAMESPACE = ' xmlns:spotify="http://www.spotify.com/ns/rss"';

/** Who wrote it. A feed that says so holds plain text wherever RSS asks for it, which its reader may rely on. */
export const GENERATOR = 'Altavoz';

/**
 * Writes RSS 2.0 with the iTunes, Podcasting 2.0 and Podlove namespaces, and Spotify's where the feed is for it. Pure and
 * byte-stable: the same document gives the same bytes, so their hash may be an ETag. Any text is safe in it.
 */
export function writeFeed(feed: FeedDocument, warn: Warn = () => {}): string {
  const parts = [head(feed, warn)];
  const trailers: string[] = [];
  writePage(parts, feed.episodes, { trailers, warn });
  parts.push(tail(trailers));
  return parts.join('');
}

/** The same in parts of at most one page of episodes, for feeds that nobody should hold as a whole. */
export async function* streamFeed(
  show: FeedShow,
  pages: AsyncIterable<FeedEpisode[]>,
  warn: Warn = () => {},
): AsyncGenerator<string, void> {
  const trailers: string[] = [];
  yield head(show, warn);
  for await (const page of pages) {
    const parts: string[] = [];
    writePage(parts, page, { trailers, warn });
    yield parts.join('');
  }
  yield tail(trailers);
}

type Passing = { trailers: string[]; warn: Warn };

function writePage(parts: string[], page: FeedEpisode[], { trailers, warn }: Passing) {
  for (const episode of page) {
    writeEpisode(parts, episode, warn);
    if (episode.type === 'trailer') trailers.push(writeTrailer(episode));
  }
}

/** Trailers of the show stand last, so that one pass over the episodes is enough. */
function tail(trailers: string[]): string {
  return `${trailers.join('')}</channel>\n</rss>\n`;
}

function head(show: FeedShow, warn: Warn): string {
  const namespaces = show.spotify ? NAMESPACES + SPOTIFY_NAMESPACE : NAMESPACES;
  const opening = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${namespaces}>\n<channel>\n`;
  return [opening, ...basics(show, warn), ...apples(show), ...podcasting(show), spotify(show)].join('');
}

function basics(show: FeedShow, warn: Warn): string[] {
  const atom = (rel: string, href: string | undefined, type?: string) =>
    href ? empty('atom:link', { href, rel, type }) : '';
  return [
    element('generator', GENERATOR),
    element('title', show.title),
    atom('self', show.self, 'application/rss+xml'),
    atom('next', show.next, 'application/rss+xml'),
    atom('hub', show.hub),
    element('link', show.link),
    html('description', described(show, warn) || richText(show.title)),
    element('language', show.language),
    show.copyright ? element('copyright', show.copyright) : '',
    element('lastBuildDate', rfc2822(show.changedAt)),
    nest('image', element('url', show.cover.url) + element('title', show.title) + element('link', show.link)),
  ];
}

function described({ description }: FeedShow, warn: Warn): string {
  const text = richText(description);
  const written = cutHtml(text, LIMITS.feed.showBytes);
  if (written !== text) warn({ kind: 'description_cut', guid: null, bytes: Buffer.byteLength(text) });
  return written;
}

function apples(show: FeedShow): string[] {
  return [
    element('itunes:author', show.author),
    owner(show),
    empty('itunes:image', { href: show.cover.url }),
    ...show.categories.map(category),
    element('itunes:explicit', String(show.explicit)),
    element('itunes:type', show.order),
    show.hidden ? element('itunes:block', 'Yes') : '',
    show.complete ? element('itunes:complete', 'Yes') : '',
    show.movedTo ? element('itunes:new-feed-url', show.movedTo) : '',
  ];
}

function podcasting(show: FeedShow): string[] {
  const artwork = { href: show.cover.url, 'aspect-ratio': '1/1', width: show.cover.width, purpose: 'artwork' };
  return [
    element('podcast:guid', show.guid),
    element('podcast:locked', show.locked ? 'yes' : 'no', { owner: show.ownerEmail }),
    show.hidden ? element('podcast:block', 'yes') : '',
    ...(show.blocks ?? []).map(({ service, blocked }) =>
      element('podcast:block', blocked ? 'yes' : 'no', { id: service }),
    ),
    element('podcast:medium', show.medium ?? 'podcast'),
    empty('podcast:image', artwork),
    images(show.images),
    licence(show.license),
    funding(show.funding),
    persons(show.persons),
    locations(show.locations),
    texts(show.texts),
    podroll(show.podroll),
    frequency(show.updateFrequency),
  ];
}

/** Spotify for Developers, Open Access, 'Content management': a partner claims the show, its episodes name entitlements. */
function spotify(show: FeedShow): string {
  if (!show.spotify) return '';
  const { partner, sandbox } = show.spotify;
  return nest(
    'spotify:access',
    empty('partner', { id: partner }) + (sandbox ? empty('sandbox', { enabled: true }) : ''),
  );
}

function owner(show: FeedShow): string {
  if (!show.ownerEmail) return '';
  return nest(
    'itunes:owner',
    element('itunes:name', show.ownerName ?? show.author) + element('itunes:email', show.ownerEmail),
  );
}

function category({ name, sub }: FeedCategory): string {
  if (!sub) return empty('itunes:category', { text: name });
  return nest('itunes:category', empty('itunes:category', { text: sub }), { text: name });
}
