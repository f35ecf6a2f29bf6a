import { FEED_LIMITS } from '../../limits/feeds';
import { cutHtml } from '../cut-html';
import type { FeedCategory, FeedDocument, FeedEpisode, FeedShow } from '../model';
import { toRfc2822 } from '../rfc-2822';
import { richText } from '../text';
import { writeEpisode, writeTrailer } from './episodes';
import {
  writeFunding,
  writeImages,
  writeLicense,
  writeLocations,
  writePersons,
  writePodroll,
  writeTexts,
  writeUpdateFrequency,
} from './podcasting';
import type { Warn } from './warnings';
import { emptyElement, htmlElement, parentElement, textElement } from './xml';

const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:psc="http://podlove.org/simple-chapters"',
].join(' ');
const SPOTIFY_NAMESPACE = ' xmlns:spotify="http://www.spotify.com/ns/rss"';

/** Our reader trusts feeds of this generator to contain plain text wherever RSS requires it. */
export const GENERATOR = 'Altavoz';

/** Small enough that the strings of one chunk are freed before they reach the old generation of the heap. */
const EPISODES_PER_CHUNK = 20;

/**
 * Writes RSS 2.0 with the iTunes, Podcasting 2.0 and Podlove namespaces, and with Spotify's if the feed is for Spotify.
 * Any text is escaped safely. The same document always gives the same UTF-8 bytes, so their hash can serve as an ETag.
 */
export function writeFeed(feed: FeedDocument, warn: Warn = () => {}): Buffer {
  const state = { trailers: [], warn };
  return Buffer.concat([writeHead(feed, warn), ...writeEpisodes(feed.episodes, state), writeTail(state)]);
}

/** Yields the bytes of `writeFeed` in chunks, and holds one page of episodes at a time. */
export async function* streamFeed(
  show: FeedShow,
  pages: AsyncIterable<FeedEpisode[]>,
  warn: Warn = () => {},
): AsyncGenerator<Buffer, void> {
  const state = { trailers: [], warn };
  yield writeHead(show, warn);
  for await (const page of pages) yield* writeEpisodes(page, state);
  yield writeTail(state);
}

type WriterState = { trailers: string[]; warn: Warn };

function* writeEpisodes(page: FeedEpisode[], state: WriterState): Generator<Buffer, void> {
  for (let start = 0; start < page.length; start += EPISODES_PER_CHUNK) {
    const items = page.slice(start, start + EPISODES_PER_CHUNK).map((episode) => writeItem(episode, state));
    yield Buffer.from(items.join(''));
  }
}

function writeItem(episode: FeedEpisode, { trailers, warn }: WriterState): string {
  if (!isLengthKnown(episode)) {
    warn({ kind: 'length_unknown', guid: episode.guid });
    return '';
  }
  if (episode.type === 'trailer') trailers.push(writeTrailer(episode));
  return writeEpisode(episode, warn);
}

/**
 * Whether the file size of an episode is known. Apple and PSP-1 require it, and apps use it to show progress and to
 * resume downloads.
 */
export function isLengthKnown({ audio }: Pick<FeedEpisode, 'audio'>): boolean {
  return Number.isSafeInteger(audio.bytes) && audio.bytes > 0;
}

/** The trailers of the show come last, so one pass over the episodes is enough. */
function writeTail({ trailers }: WriterState): Buffer {
  return Buffer.from(`${trailers.join('')}</channel>\n</rss>\n`);
}

function writeHead(show: FeedShow, warn: Warn): Buffer {
  const namespaces = show.spotify ? NAMESPACES + SPOTIFY_NAMESPACE : NAMESPACES;
  const style = show.stylesheet ? `<?xml-stylesheet type="text/css" href="${show.stylesheet}"?>\n` : '';
  const opening = `<?xml version="1.0" encoding="UTF-8"?>\n${style}<rss version="2.0" ${namespaces}>\n<channel>\n`;
  const tags = [...rssTags(show, warn), ...appleTags(show), ...podcastingTags(show), spotifyTag(show)];
  return Buffer.from(opening + tags.join(''));
}

function rssTags(show: FeedShow, warn: Warn): string[] {
  const atomLink = (rel: string, href: string | undefined, type?: string) =>
    href ? emptyElement('atom:link', { href, rel, type }) : '';
  const { cover, title, link } = show;
  return [
    textElement('generator', GENERATOR),
    textElement('title', title),
    atomLink('self', show.self, 'application/rss+xml'),
    atomLink('next', show.next, 'application/rss+xml'),
    atomLink('hub', show.hub),
    textElement('link', link),
    htmlElement('description', shortDescription(show, warn) || richText(title)),
    textElement('language', show.language),
    show.copyright ? textElement('copyright', show.copyright) : '',
    textElement('lastBuildDate', toRfc2822(show.changedAt)),
    parentElement('image', textElement('url', cover.url) + textElement('title', title) + textElement('link', link)),
  ];
}

function shortDescription({ description }: FeedShow, warn: Warn): string {
  const full = richText(description);
  const short = cutHtml(full, FEED_LIMITS.showBytes);
  if (short !== full) warn({ kind: 'description_cut', guid: null, bytes: Buffer.byteLength(full) });
  return short;
}

function appleTags(show: FeedShow): string[] {
  return [
    textElement('itunes:author', show.author),
    ownerTag(show),
    emptyElement('itunes:image', { href: show.cover.url }),
    ...show.categories.map(categoryTag),
    textElement('itunes:explicit', String(show.explicit)),
    textElement('itunes:type', show.order),
    show.hidden ? textElement('itunes:block', 'Yes') : '',
    show.complete ? textElement('itunes:complete', 'Yes') : '',
    show.movedTo ? textElement('itunes:new-feed-url', show.movedTo) : '',
  ];
}

function podcastingTags(show: FeedShow): string[] {
  const artwork = { href: show.cover.url, 'aspect-ratio': '1/1', width: show.cover.width, purpose: 'artwork' };
  return [
    textElement('podcast:guid', show.guid),
    textElement('podcast:locked', show.locked ? 'yes' : 'no', { owner: show.ownerEmail }),
    show.hidden ? textElement('podcast:block', 'yes') : '',
    ...(show.blocks ?? []).map(({ service, blocked }) =>
      textElement('podcast:block', blocked ? 'yes' : 'no', { id: service }),
    ),
    textElement('podcast:medium', show.medium ?? 'podcast'),
    emptyElement('podcast:image', artwork),
    writeImages(show.images),
    writeLicense(show.license),
    writeFunding(show.funding),
    writePersons(show.persons),
    writeLocations(show.locations),
    writeTexts(show.texts),
    writePodroll(show.podroll),
    writeUpdateFrequency(show.updateFrequency),
  ];
}

/**
 * Names the partner that claims the show; episodes name entitlements (Spotify for Developers, Open Access, 'Content
 * management').
 */
function spotifyTag(show: FeedShow): string {
  if (!show.spotify) return '';
  const { partner, sandbox } = show.spotify;
  return parentElement(
    'spotify:access',
    emptyElement('partner', { id: partner }) + (sandbox ? emptyElement('sandbox', { enabled: true }) : ''),
  );
}

function ownerTag(show: FeedShow): string {
  if (!show.ownerEmail) return '';
  return parentElement(
    'itunes:owner',
    textElement('itunes:name', show.ownerName ?? show.author) + textElement('itunes:email', show.ownerEmail),
  );
}

function categoryTag({ name, sub }: FeedCategory): string {
  if (!sub) return emptyElement('itunes:category', { text: name });
  return parentElement('itunes:category', emptyElement('itunes:category', { text: sub }), { text: name });
}
