import type { ImportedEpisode, ImportedFeed, Loss, ParseResult, Repair } from '~/server/feed/reader/model';
import { parseFeed } from '~/server/feed/reader/parse';

export const ITUNES = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';
export const PODCAST = 'xmlns:podcast="https://podcastindex.org/namespace/1.0"';
export const OTHERS =
  'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xmlns:psc="http://podlove.org/simple-chapters" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"';
export const FILE = '<enclosure url="https://a.example/1.mp3" length="1000" type="audio/mpeg"/>';

/** A minimal valid feed with this item and these tags for the show. */
export function rss(item: string, show = ''): string {
  const title = show.includes('<title') ? '' : '<title>Ruido</title>';
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ${ITUNES} ${PODCAST} ${OTHERS}><channel>${title}${show}${item}</channel></rss>`;
}

export function parseSource(source: string | Uint8Array, contentType: string | null = null): ParseResult {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  return parseFeed({ bytes, contentType, url: 'https://a.example/feed.xml' });
}

export function showOf(source: string | Uint8Array): ImportedFeed {
  return parseSource(source).feed!;
}

/** Reads the episode of a feed with this item. */
export function episodeOf(item: string, show = ''): ImportedEpisode {
  return showOf(rss(`<item>${item}</item>`, show)).episodes[0]!;
}

export const repairsOf = (reading: ParseResult): Repair[] => reading.repairs.map(({ kind }) => kind);
export const lossesOf = (reading: ParseResult): Loss[] => reading.losses.map(({ kind }) => kind);
