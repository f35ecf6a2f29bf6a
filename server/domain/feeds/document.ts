import { FEED_LIMITS } from '../../limits/feeds';
import { writeEpisode, writeTrailer } from './items';
import { cutHtml, element, empty, html, nest, rfc2822, richText } from './markup';
import type { FeedCategory, FeedDocument, FeedEpisode, FeedShow } from './model';
import { frequency, funding, images, licence, locations, persons, podroll, texts } from './podcasting';
import { isLengthKnown } from './rules';

/** What was not written as the model has it, of which episode (null: of the show): a text longer than directories take. */
export type FeedWarning =
  | { kind: 'description_cut' | 'notes_cut'; guid: string | null; bytes: number }
  /** Left out: podcast apps are told how many bytes a file has, and 0 would be a promise that it breaks. */
  | { kind: 'length_unknown'; guid: string };
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

/** Few enough that what their bytes are made from is gone before anything has to be cleaned up. */
const AT_ONCE = 20;

/**
 * Writes RSS 2.0 with the iTunes, Podcasting 2.0 and Podlove namespaces, and Spotify's where the feed is for it. Pure and
 * byte-stable: the same document gives the same bytes of UTF-8, so their hash may be an ETag. Any text is safe in it.
 */
export function writeFeed(feed: FeedDocument, warn: Warn = () => {}): Buffer {
  const passing = { trailers: [], warn };
  return Buffer.concat([head(feed, warn), ...episodesIn(feed.episodes, passing), tail(passing)]);
}

/** The same bytes in small parts, made as they are asked for, out of one page of episodes at a time. */
export async function* streamFeed(
  show: FeedShow,
  pages: AsyncIterable<FeedEpisode[]>,
  warn: Warn = () => {},
): AsyncGenerator<Buffer, void> {
  const passing = { trailers: [], warn };
  yield head(show, warn);
  for await (const page of pages) yield* episodesIn(page, passing);
  yield tail(passing);
}

type Passing = { trailers: string[]; warn: Warn };

function* episodesIn(page: FeedEpisode[], passing: Passing): Generator<Buffer, void> {
  for (let at = 0; at < page.length; at += AT_ONCE) {
    const few = page.slice(at, at + AT_ONCE).map((episode) => oneOf(episode, passing));
    yield Buffer.from(few.join(''));
  }
}

function oneOf(episode: FeedEpisode, { trailers, warn }: Passing): string {
  if (!isLengthKnown(episode)) {
    warn({ kind: 'length_unknown', guid: episode.guid });
    return '';
  }
  if (episode.type === 'trailer') trailers.push(writeTrailer(episode));
  return writeEpisode(episode, warn);
}

/** Trailers of the show stand last, so that one pass over the episodes is enough. */
function tail({ trailers }: Passing): Buffer {
  return Buffer.from(`${trailers.join('')}</channel>\n</rss>\n`);
}

function head(show: FeedShow, warn: Warn): Buffer {
  const namespaces = show.spotify ? NAMESPACES + SPOTIFY_NAMESPACE : NAMESPACES;
  const opening = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${namespaces}>\n<channel>\n`;
  const tags = [...basics(show, warn), ...apples(show), ...podcasting(show), spotify(show)];
  return Buffer.from(opening + tags.join(''));
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
  const written = cutHtml(text, FEED_LIMITS.showBytes);
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
