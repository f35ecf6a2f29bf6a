import { type Browser, chromium } from '@playwright/test';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseRssFeed } from 'feedsmith';
import Parser from 'rss-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from '~/scripts/chromium.mjs';
import type { FeedDocument } from '~/server/feed/model';
import { deepSeed, isDeep } from '../support/deep';
import { feedModel } from '../support/feed-models';
import { feedText, fullFeed, sampleEpisode, sampleFeed } from '../support/feed-samples';

/** Titles, GUIDs and enclosures that another parser found; lengths and types as text. */
type Found = { title: string; items: { title: string; guid: string; url: string; length: string; type: string }[] };

const GENERATED = isDeep ? 200 : 25;
const HOSTILE_TITLES = [
  'Q&A <live> "now"',
  ']]>',
  '<b>bold</b> &amp; &nbsp;',
  '‮abc‬',
  '🎙️ ñandú',
  "it's",
  'a ]]]]><![CDATA[> b',
];

function expected({ title, episodes }: FeedDocument): Found {
  return {
    title,
    items: episodes.map(({ title, guid, audio }) => ({
      title,
      guid,
      url: audio.url,
      length: String(audio.bytes),
      type: audio.type ?? 'audio/mpeg',
    })),
  };
}

const hostile = sampleFeed({
  title: HOSTILE_TITLES[0],
  episodes: HOSTILE_TITLES.map((title, at) =>
    sampleEpisode({
      title,
      guid: `${at} ${title}`,
      description: `<p>${title}</p>`,
      audio: { url: `https://a.example/${at}.mp3?a=1&b=2`, bytes: 7 },
    }),
  ),
});
const models = [hostile, sampleFeed(), ...fc.sample(feedModel, { numRuns: GENERATED, seed: deepSeed() })];

let browser: Browser;
beforeAll(async () => {
  const executablePath = await findBrowser();
  expect(executablePath, 'No browser: install Chromium, or set CHROMIUM_PATH to one.').toBeTruthy();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}, 180_000);
afterAll(() => browser?.close());

test('Chromium reads the same titles, GUIDs and enclosures without an error', async () => {
  const page = await browser.newPage();

  const found = await page.evaluate(
    (documents) =>
      documents.map((document) => {
        const parsed = new DOMParser().parseFromString(document, 'application/xml');
        const failure = parsed.querySelector('parsererror')?.textContent ?? null;
        const text = (parent: ParentNode, name: string) => parent.querySelector(`:scope > ${name}`)?.textContent ?? '';
        const channel = parsed.querySelector('channel');
        const items = [...parsed.querySelectorAll('channel > item')].map((item) => {
          const file = item.querySelector('enclosure');
          const [url, length, type] = ['url', 'length', 'type'].map((name) => file?.getAttribute(name) ?? '');
          return { title: text(item, 'title'), guid: text(item, 'guid'), url, length, type };
        });
        return { failure, title: channel ? text(channel, 'title') : '', items };
      }),
    models.map((model) => feedText(model)),
  );

  expect(found).toEqual(models.map((model) => ({ failure: null, ...expected(model) })));
});

test('fast-xml-parser reads the same and reports every document as valid', () => {
  const options = { ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false, trimValues: false };
  const parser = new XMLParser({ ...options, parseAttributeValue: false, isArray: (name) => name === 'item' });
  type Item = { title: string; guid: { '#text': string }; enclosure: Record<'@url' | '@length' | '@type', string> };

  for (const model of models) {
    const document = feedText(model);
    expect(XMLValidator.validate(document)).toBe(true);
    const { channel } = parser.parse(document).rss as { channel: { title: string; item?: Item[] } };
    const items = (channel.item ?? []).map(({ title, guid, enclosure: file }) => ({
      title,
      guid: guid['#text'],
      url: file['@url'],
      length: file['@length'],
      type: file['@type'],
    }));
    expect({ title: channel.title, items }).toEqual(expected(model));
  }
});

test('feedsmith reads the same', () => {
  for (const model of models) {
    const read = parseRssFeed(feedText(model));
    const items = (read.items ?? []).map(({ title, guid, enclosures }) => ({
      title,
      guid: guid?.value,
      url: enclosures?.[0]?.url,
      length: String(enclosures?.[0]?.length),
      type: enclosures?.[0]?.type,
    }));
    expect({ title: read.title, items }).toEqual(expected(model));
  }
});

test('rss-parser reads the same', async () => {
  for (const model of models) {
    const read = await new Parser().parseString(feedText(model));
    const items = read.items.map(({ title, guid, enclosure }) => ({
      title,
      guid,
      url: enclosure?.url,
      length: String(enclosure?.length),
      type: enclosure?.type,
    }));
    expect({ title: read.title, items }).toEqual(expected(model));
  }
});

/** The tags that shows and episodes share, in the format of feedsmith. */
const SHARED = {
  persons: [
    {
      display: 'Ana Ruiz',
      role: 'guest',
      group: 'cast',
      img: 'https://a.example/ana.jpg',
      href: 'https://a.example/ana',
    },
  ],
  locations: [{ display: 'Lavapiés', rel: 'subject', geo: 'geo:40.4087,-3.7010', osm: 'R5341131', country: 'es' }],
  txts: [{ display: 'S6lpp-7ZCn8', purpose: 'verify' }],
  license: { display: 'cc-by-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  images: expect.arrayContaining([
    expect.objectContaining({
      href: 'https://a.example/banner.jpg',
      aspectRatio: '16/9',
      width: 1600,
      purpose: 'banner',
    }),
  ]),
};

test('feedsmith reads every Podcasting 2.0, Podlove and Spotify tag of a show', () => {
  expect(parseRssFeed(feedText(fullFeed()))).toMatchObject({
    podcast: {
      ...SHARED,
      guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
      locked: { value: false, owner: 'ana@example.com' },
      fundings: [{ url: 'https://lucia.altavoz.example/apoya', display: 'Apoya el programa' }],
      trailers: [{ display: 'Pronto', url: 'https://a.example/t.mp3', length: 99, type: 'audio/mpeg', season: 2 }],
      medium: 'podcast',
      blocks: [{ value: true }, { value: false, id: 'google' }],
      podroll: {
        remoteItems: [{ feedGuid: '29cdca4a-32d8-56ba-b48b-09a011c5daa9', feedUrl: 'https://b.example/feed.xml' }],
      },
      updateFrequency: { display: 'Cada lunes', complete: true, rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=10' },
    },
    spotify: { access: { partner: { id: 'p1' }, sandbox: { enabled: true } } },
    itunes: {
      owner: { email: 'ana@example.com' },
      block: true,
      complete: true,
      newFeedUrl: 'https://new.example/feed.xml',
    },
    atom: { links: [{ rel: 'self' }, { rel: 'next' }, { rel: 'hub' }] },
  });
});

test('feedsmith reads every Podcasting 2.0, Podlove and Spotify tag of an episode', () => {
  const [item] = parseRssFeed(feedText(fullFeed())).items ?? [];

  expect(item).toMatchObject({
    podcast: {
      ...SHARED,
      transcripts: [{ url: 'https://a.example/t.vtt', type: 'text/vtt', language: 'es', rel: 'captions' }],
      chapters: { url: 'https://a.example/c.json', type: 'application/json+chapters' },
      soundbites: [{ startTime: 1.5, duration: 30, display: 'El toque' }],
      season: { number: 2, name: 'Otoño' },
      episode: { number: 14, display: 'Día 14' },
    },
    psc: { chapters: [{ start: '00:01:01.500', title: 'La torre', href: 'https://a.example/torre' }] },
    spotify: { access: { entitlement: { name: 'plata' } } },
    content: { encoded: '<p>Una <strong>mañana</strong> en la plaza &amp; el mercado.</p>' },
  });
});
