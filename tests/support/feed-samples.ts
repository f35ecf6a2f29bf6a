import type { FeedDocument, FeedEpisode } from '~/server/feed/model';
import type { Warn } from '~/server/feed/writer/warnings';
import { writeFeed } from '~/server/feed/writer/write-feed';

/** A sample episode with fictional people. */
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

const person = {
  name: 'Ana Ruiz',
  role: 'guest',
  group: 'cast',
  image: 'https://a.example/ana.jpg',
  link: 'https://a.example/ana',
};
const place = { name: 'Lavapiés', rel: 'subject', geo: 'geo:40.4087,-3.7010', osm: 'R5341131', country: 'es' };
const picture = {
  url: 'https://a.example/banner.jpg',
  alt: 'Una plaza',
  aspectRatio: '16/9',
  width: 1600,
  height: 900,
  type: 'image/jpeg',
  purpose: 'banner',
};
const shared = {
  persons: [person],
  locations: [place],
  images: [picture],
  texts: [{ purpose: 'verify', text: 'S6lpp-7ZCn8' }],
  license: { name: 'cc-by-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  funding: [{ url: 'https://lucia.altavoz.example/apoya', text: 'Apoya el programa' }],
};

const fullEpisode = (): FeedEpisode =>
  sampleEpisode({
    ...shared,
    author: 'Ana Ruiz',
    cover: 'https://a.example/cover.jpg',
    seasonName: 'Otoño',
    numberLabel: 'Día 14',
    hidden: true,
    transcripts: [{ url: 'https://a.example/t.vtt', type: 'text/vtt', language: 'es', rel: 'captions' }],
    chapters: { url: 'https://a.example/c.json' },
    marks: [
      { startMs: 61_500, title: 'La torre', link: 'https://a.example/torre', image: 'https://a.example/torre.jpg' },
    ],
    soundbites: [{ startMs: 1500, durationMs: 30_000, title: 'El toque' }],
    entitlements: ['plata'],
  });

/** A feed with every tag that we write. */
export const fullFeed = (): FeedDocument =>
  sampleFeed({
    ...shared,
    ownerEmail: 'ana@example.com',
    next: 'https://lucia.altavoz.example/p/ruido/feed.xml?page=2',
    hub: 'https://hub.example/',
    movedTo: 'https://new.example/feed.xml',
    copyright: 'Lucía',
    complete: true,
    hidden: true,
    blocks: [{ service: 'google', blocked: false }],
    podroll: [
      { feedGuid: '29cdca4a-32d8-56ba-b48b-09a011c5daa9', feedUrl: 'https://b.example/feed.xml', title: 'Otro' },
    ],
    updateFrequency: {
      text: 'Cada lunes',
      complete: true,
      startsAt: '2026-03-02T08:00:00Z',
      rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=10',
    },
    spotify: { partner: 'p1', sandbox: true },
    episodes: [
      fullEpisode(),
      sampleEpisode({
        guid: 'trailer-1',
        title: 'Pronto',
        type: 'trailer',
        audio: { url: 'https://a.example/t.mp3', bytes: 99 },
      }),
    ],
  });

/** The written feed as text. */
export const feedText = (feed: FeedDocument, warn?: Warn): string => writeFeed(feed, warn).toString();
