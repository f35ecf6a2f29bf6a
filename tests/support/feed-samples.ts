import { type Warn, writeFeed } from '~/server/domain/feeds/document';
import type { FeedDocument, FeedEpisode } from '~/server/domain/feeds/model';

/** One of each, of people who do not exist. */
export const sampleEpisode = (over: Partial<FeedEpisode> = {}): FeedEpisode => ({
  guid: 'b9c1f0de-0000-4000-8000-000000000001',
  title: 'Las campanas de la torre',
  description: '<p>Una <strong>mañana</strong> en la plaza &amp; el mercado.</p>',
  link: 'https://lucia.altavoz.example/p/ruido/las-campanas',
  type: 'full',
  audio: { url: 'https://app.altavoz.example/audio/7/las-campanas.mp3', bytes: 1_234_567 },
  durationMs: 61_499,
  publishedAt: new Date('2026-03-03T08:05:09Z'),
  season: 2,
  number: 14,
  explicit: false,
  ...over,
});

export const sampleFeed = (over: Partial<FeedDocument> = {}): FeedDocument => ({
  title: 'Ruido de fondo',
  description: '<p>Historias que se oyen.</p>',
  link: 'https://lucia.altavoz.example/p/ruido',
  self: 'https://lucia.altavoz.example/p/ruido/feed.xml',
  language: 'es',
  author: 'Lucía',
  cover: { url: 'https://app.altavoz.example/media/images/1/abc/full.jpg', width: 3000 },
  categories: [{ name: 'Society & Culture', sub: 'Documentary' }, { name: 'Arts' }],
  explicit: false,
  order: 'episodic',
  guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
  locked: false,
  changedAt: new Date('2026-03-04T10:00:00Z'),
  episodes: [sampleEpisode()],
  ...over,
});

/** What is written, as text. */
export const feedText = (feed: FeedDocument, warn?: Warn): string => writeFeed(feed, warn).toString();
