/** One podcast or audio series as podcast apps read it. Addresses are absolute; descriptions are sanitised HTML. */
export type FeedDocument = {
  title: string;
  description: string;
  /** The product's public page. */
  link: string;
  /** Where this feed itself is to be found. */
  self: string;
  /** Set for good once the feed has moved: podcast apps then follow. */
  movedTo?: string;
  language: string;
  author: string;
  /** Named only where the creator shows an address, since feeds are read by everyone. */
  ownerEmail?: string;
  cover: FeedCover;
  categories: FeedCategory[];
  explicit: boolean;
  order: 'episodic' | 'serial';
  /** Podcasting 2.0 identity, the same wherever the feed lives. */
  guid: string;
  /** Whether other hosts are asked not to import it. */
  locked: boolean;
  /** Asks directories to leave it out: private feeds. */
  hidden?: boolean;
  changedAt: Date;
  episodes: FeedEpisode[];
};

export type FeedCategory = { name: string; sub?: string };
export type FeedCover = { url: string; width?: number };

export type FeedEpisode = {
  guid: string;
  title: string;
  description: string;
  link: string;
  type: 'full' | 'trailer';
  audio: { url: string; bytes: number };
  durationMs: number;
  publishedAt: Date;
  cover?: string;
  season?: number | null;
  number?: number | null;
  explicit: boolean;
};

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
].join(' ');

const AUDIO_TYPE = 'audio/mpeg';
/** podcast:trailer asks for at most this many characters of title. */
const TRAILER_TITLE = 128;

/**
 * Writes RSS 2.0 with the iTunes and Podcasting 2.0 namespaces. Pure and byte-stable: the same document gives the
 * same bytes, so their hash may be an ETag. Any text is safe in it.
 */
export function writeFeed(feed: FeedDocument): string {
  const parts = [`<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n`];
  writeChannel(parts, feed);
  for (const episode of feed.episodes) writeEpisode(parts, episode);
  parts.push('</channel>\n</rss>\n');
  return parts.join('');
}

function writeChannel(parts: string[], feed: FeedDocument) {
  parts.push(
    element('title', feed.title),
    empty('atom:link', { href: feed.self, rel: 'self', type: 'application/rss+xml' }),
    element('link', feed.link),
    html('description', feed.description || feed.title),
    element('language', feed.language),
    element('lastBuildDate', rfc2822(feed.changedAt)),
    element('generator', 'Altavoz'),
    `<image>${element('url', feed.cover.url)}${element('title', feed.title)}${element('link', feed.link)}</image>\n`,
    element('itunes:author', feed.author),
    owner(feed),
    empty('itunes:image', { href: feed.cover.url }),
    ...feed.categories.map(category),
    element('itunes:explicit', String(feed.explicit)),
    element('itunes:type', feed.order),
    feed.hidden ? element('itunes:block', 'Yes') : '',
    feed.movedTo ? element('itunes:new-feed-url', feed.movedTo) : '',
    element('podcast:guid', feed.guid),
    element('podcast:locked', feed.locked ? 'yes' : 'no', { owner: feed.ownerEmail }),
    element('podcast:medium', 'podcast'),
    empty('podcast:image', {
      href: feed.cover.url,
      'aspect-ratio': '1/1',
      width: feed.cover.width,
      purpose: 'artwork',
    }),
    ...feed.episodes.filter((episode) => episode.type === 'trailer').map(trailer),
  );
}

function writeEpisode(parts: string[], episode: FeedEpisode) {
  const { season, number } = episode;
  parts.push(
    '<item>\n',
    element('title', episode.title),
    element('guid', episode.guid, { isPermaLink: 'false' }),
    element('link', episode.link),
    element('pubDate', rfc2822(episode.publishedAt)),
    episode.description ? html('description', episode.description) + html('content:encoded', episode.description) : '',
    empty('enclosure', { url: episode.audio.url, length: episode.audio.bytes, type: AUDIO_TYPE }),
    element('itunes:duration', String(Math.round(episode.durationMs / 1000))),
    element('itunes:episodeType', episode.type),
    element('itunes:explicit', String(episode.explicit)),
    episode.cover
      ? empty('itunes:image', { href: episode.cover }) +
          empty('podcast:image', { href: episode.cover, 'aspect-ratio': '1/1', purpose: 'artwork' })
      : '',
    season ? element('itunes:season', String(season)) + element('podcast:season', String(season)) : '',
    number ? element('itunes:episode', String(number)) + element('podcast:episode', String(number)) : '',
    '</item>\n',
  );
}

function owner(feed: FeedDocument): string {
  if (!feed.ownerEmail) return '';
  return `<itunes:owner>${element('itunes:name', feed.author)}${element('itunes:email', feed.ownerEmail)}</itunes:owner>\n`;
}

function category({ name, sub }: FeedCategory): string {
  if (!sub) return empty('itunes:category', { text: name });
  return `<itunes:category text="${attribute(name)}">${empty('itunes:category', { text: sub }).trimEnd()}</itunes:category>\n`;
}

function trailer(episode: FeedEpisode): string {
  return element('podcast:trailer', clip(oneLine(episode.title), TRAILER_TITLE), {
    pubdate: rfc2822(episode.publishedAt),
    url: episode.audio.url,
    length: episode.audio.bytes,
    type: AUDIO_TYPE,
    season: episode.season ?? undefined,
  });
}

type Attributes = Record<string, string | number | undefined>;

/** An element of plain text. Apps show white space at its ends, so there is none. */
function element(name: string, value: string, attributes?: Attributes): string {
  return `<${name}${attributes ? written(attributes) : ''}>${escapeText(oneLine(value))}</${name}>\n`;
}

function empty(name: string, attributes: Attributes): string {
  return `<${name}${written(attributes)}/>\n`;
}

function html(name: string, value: string): string {
  return `<${name}><![CDATA[${wellFormed(value).trim().replaceAll(']]>', ']]]]><![CDATA[>')}]]></${name}>\n`;
}

function written(attributes: Attributes): string {
  let text = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) text += ` ${name}="${typeof value === 'number' ? value : attribute(value)}"`;
  }
  return text;
}

function attribute(value: string): string {
  return escapeText(oneLine(value)).replaceAll('"', '&quot;');
}

const MARKUP = /[&<>]/;

function escapeText(value: string): string {
  if (!MARKUP.test(value)) return value;
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const RUN_OF_SPACE = /[\s]{2,}|[\t\n\r]/g;

function oneLine(value: string): string {
  return wellFormed(value).replace(RUN_OF_SPACE, ' ').trim();
}

/** Cuts at a whole character: half a surrogate pair would be an error in XML. */
function clip(value: string, length: number): string {
  return value.length <= length ? value : Array.from(value).slice(0, length).join('').trim();
}

/** Cheap look: anything outside the part of `Char` that is one UTF-16 unit, emoji included. */
const SUSPECT = /[^\t\n\r -\ud7ff\ue000-\ufffd]/;
/** Everything that XML 1.0 §2.2 does not allow as `Char`: control characters, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function wellFormed(value: string): string {
  return SUSPECT.test(value) ? value.replace(FORBIDDEN, '') : value;
}

/** RFC 2822 in UTC, which podcast directories ask for. */
export function rfc2822(at: Date): string {
  return at.toUTCString().replace('GMT', '+0000');
}
