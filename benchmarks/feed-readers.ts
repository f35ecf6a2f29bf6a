import { parseFeed as parseWithFeedsmith } from 'feedsmith';
import Parser from 'rss-parser';
import { parseFeed } from '~/server/feed/reader/parse';
import { BASE, type FeedContents, type Sample } from './sample-feeds';

/** `read` includes decoding the bytes, as our reader does. */
export type Reader = {
  name: string;
  read(sample: Pick<Sample, 'bytes' | 'decode'>): unknown;
  toContents(read: unknown): FeedContents;
};

export const READERS: Reader[] = [
  { name: 'ours', read: ({ bytes }) => parseFeed({ bytes, url: BASE }), toContents: ourContents },
  { name: 'feedsmith', read: ({ decode }) => parseWithFeedsmith(decode()), toContents: feedsmithContents },
  { name: 'rss-parser', read: ({ decode }) => new Parser().parseString(decode()), toContents: rssParserContents },
];

function ourContents(read: unknown): FeedContents {
  const { feed } = read as ReturnType<typeof parseFeed>;
  if (!feed) throw new Error('no feed');
  return { title: feed.title, items: feed.episodes.map(({ title, audio }) => ({ title, urls: [audio.url] })) };
}

type Link = { rel?: string; href?: string };
type Item = { title?: string; enclosures?: { url?: string }[]; links?: Link[]; media?: Media };
type Media = { contents?: { url?: string }[]; group?: { contents?: { url?: string }[] } };

function feedsmithContents(read: unknown): FeedContents {
  const { feed } = read as { feed: { title?: string; items?: Item[]; entries?: Item[] } };
  const items = (feed.items ?? feed.entries ?? []).map(({ title = '', enclosures = [], links = [], media }) => {
    const linked = links.filter(({ rel }) => rel === 'enclosure').map(({ href }) => href);
    const contents = [...(media?.contents ?? []), ...(media?.group?.contents ?? [])];
    const urls = [...enclosures, ...contents].map(({ url }) => url);
    return { title, urls: [...urls, ...linked].filter((url) => url !== undefined) };
  });
  return { title: feed.title ?? '', items };
}

function rssParserContents(read: unknown): FeedContents {
  const { title = '', items } = read as { title?: string; items: { title?: string; enclosure?: { url?: string } }[] };
  return { title, items: items.map(({ title = '', enclosure }) => ({ title, urls: [enclosure?.url ?? ''] })) };
}
