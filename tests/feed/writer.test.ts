import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseRssFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import type { FeedEpisode } from '~/server/feed/model';
import { toRfc2822 } from '~/server/feed/rfc-2822';
import type { FeedWarning } from '~/server/feed/writer/warnings';
import { isLengthKnown, streamFeed, writeFeed } from '~/server/feed/writer/write-feed';
import { deepSeed, isDeep } from '../support/deep';
import { keptLine } from '../support/feed-models';
import { feedText, sampleEpisode, sampleFeed } from '../support/feed-samples';

/** The raw tree, attributes as `@name`. */
function tree(xml: string) {
  const options = {
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
  };
  return new XMLParser({ ...options, trimValues: false, isArray: (name) => name === 'item' }).parse(xml).rss.channel;
}

test('a show has every tag that Apple requires', () => {
  const channel = tree(feedText(sampleFeed()));

  expect(channel).toMatchObject({
    title: 'Ruido de fondo',
    description: '<p>Historias que se oyen.</p>',
    language: 'es',
    link: 'https://lucia.altavoz.example/p/ruido',
    'itunes:image': { '@href': 'https://app.altavoz.example/media/images/1/abc/full.jpg' },
    'itunes:explicit': 'false',
    'itunes:author': 'Lucía',
    'itunes:type': 'episodic',
    'atom:link': { '@rel': 'self', '@href': 'https://lucia.altavoz.example/p/ruido/feed.xml' },
  });
  expect(channel['itunes:category']).toEqual([
    { '@text': 'Society & Culture', 'itunes:category': { '@text': 'Documentary' } },
    { '@text': 'Arts' },
  ]);
});

test('an episode has every tag that Apple requires', () => {
  const [item] = tree(feedText(sampleFeed())).item;

  expect(item).toMatchObject({
    title: 'Las campanas de la torre',
    guid: { '#text': 'b9c1f0de-0000-4000-8000-000000000001', '@isPermaLink': 'false' },
    pubDate: 'Tue, 03 Mar 2026 08:05:09 +0000',
    enclosure: {
      '@url': 'https://app.altavoz.example/audio/7/las-campanas.mp3',
      '@length': '1234567',
      '@type': 'audio/mpeg',
    },
    'content:encoded': '<p>Una <strong>mañana</strong> en la plaza &amp; el mercado.</p>',
    'itunes:duration': '61',
    'itunes:episodeType': 'full',
    'itunes:explicit': 'false',
    'itunes:season': '2',
    'itunes:episode': '14',
    'podcast:season': '2',
    'podcast:episode': '14',
  });
});

test('a feed reader finds the same values', () => {
  const read = parseRssFeed(feedText(sampleFeed({ explicit: true })));

  expect(read).toMatchObject({
    title: 'Ruido de fondo',
    itunes: { explicit: true, type: 'episodic', categories: [{ text: 'Society & Culture' }, { text: 'Arts' }] },
    podcast: { guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810', locked: { value: false }, medium: 'podcast' },
  });
  expect(read.items?.[0]).toMatchObject({
    title: 'Las campanas de la torre',
    enclosures: [{ length: 1_234_567, type: 'audio/mpeg' }],
    itunes: { duration: 61, episode: 14, season: 2, explicit: false },
  });
});

test('a trailer is an item and a podcast:trailer of the show', () => {
  const xml = feedText(
    sampleFeed({ episodes: [sampleEpisode({ type: 'trailer', title: 'Pronto', season: null, number: null })] }),
  );
  const channel = tree(xml);

  expect(channel.item[0]['itunes:episodeType']).toBe('trailer');
  expect(channel.item[0]).not.toHaveProperty('itunes:season');
  expect(channel['podcast:trailer']).toEqual({
    '#text': 'Pronto',
    '@pubdate': 'Tue, 03 Mar 2026 08:05:09 +0000',
    '@url': 'https://app.altavoz.example/audio/7/las-campanas.mp3',
    '@length': '1234567',
    '@type': 'audio/mpeg',
  });
});

test('a moved feed has its new address, and a hidden one asks directories not to list it', () => {
  const channel = tree(feedText(sampleFeed({ movedTo: 'https://new.example/feed.xml', hidden: true })));

  expect(channel['itunes:new-feed-url']).toBe('https://new.example/feed.xml');
  expect(channel['itunes:block']).toBe('Yes');
});

test('the owner’s email address is written only if there is one', () => {
  expect(tree(feedText(sampleFeed()))).not.toHaveProperty('itunes:owner');

  const channel = tree(feedText(sampleFeed({ ownerEmail: 'ana+podcast@example.com' })));
  expect(channel['itunes:owner']).toMatchObject({ 'itunes:name': 'Lucía', 'itunes:email': 'ana+podcast@example.com' });
  expect(channel['podcast:locked']).toEqual({ '#text': 'no', '@owner': 'ana+podcast@example.com' });
});

test.each([
  ['markup', 'Q&A <live> "now"', 'Q&amp;A &lt;live&gt; "now"'],
  ['control characters', 'a\u0000b\u0008c\u001bd', 'abcd'],
  ['lone surrogates', 'x\ud83dy\udc00z', 'xyz'],
  ['non-characters', 'a\ufffeb\uffff', 'ab'],
  ['emoji', '🎙️ hola', '🎙️ hola'],
  ['white space at the ends and in runs', '  two \n lines\t ', 'two lines'],
])('a title with %s is written as XML allows', (_, title, expected) => {
  const xml = feedText(sampleFeed({ title, episodes: [] }));

  expect(xml).toContain(`<title>${expected}</title>`);
  expect(XMLValidator.validate(xml)).toBe(true);
});

test('a description may contain the end mark of CDATA', () => {
  const [item] = tree(feedText(sampleFeed({ episodes: [sampleEpisode({ description: '<p>a]]>b]]]]>c</p>' })] }))).item;

  expect(item['content:encoded']).toBe('<p>a]]>b]]]]>c</p>');
});

test('quotes and line ends in an attribute are escaped', () => {
  const xml = feedText(sampleFeed({ episodes: [sampleEpisode({ cover: 'https://x.example/a"b\nc&d.jpg' })] }));

  expect(XMLValidator.validate(xml)).toBe(true);
  expect(tree(xml).item[0]['itunes:image']['@href']).toBe('https://x.example/a"b c&d.jpg');
});

test('with any text, the feed is well-formed and its bytes are stable', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });

  fc.assert(
    fc.property(text, text, text, (title, description, author) => {
      const one = sampleFeed({
        title,
        author,
        description,
        episodes: [sampleEpisode({ title, description, type: 'trailer' })],
      });

      const bytes = writeFeed(one);

      expect(XMLValidator.validate(bytes.toString())).toBe(true);
      expect(isUtf8(bytes)).toBe(true);
      expect(writeFeed(structuredClone(one)).equals(bytes)).toBe(true);
    }),
    { numRuns: isDeep ? 2000 : 100, seed: deepSeed() },
  );
});

test('dates are RFC 2822 in UTC', () => {
  expect(toRfc2822(new Date('2026-01-09T23:59:59.999Z'))).toBe('Fri, 09 Jan 2026 23:59:59 +0000');
});

test.each([
  ['a title of every character', (code: number) => code],
  ['a title of ordinary characters', (code: number) => 0x21 + (code % 0x5e)],
])('%s is written without forbidden characters and with escaped markup', (_, at) => {
  for (let first = 0; first < 0x11000; first += 64) {
    const title = Array.from({ length: 64 }, (_, more) => String.fromCodePoint(at(first + more))).join(' ');

    const written = /<title>(.*?)<\/title>/s.exec(feedText(sampleFeed({ title, episodes: [] })))![1]!;

    const unescaped = written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    expect(unescaped).toBe(keptLine(title));
    expect(written).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
  }
});

test('each character that XML forbids is removed from titles and notes', () => {
  const controls = Array.from({ length: 0x20 }, (_, code) => code).filter((code) => ![9, 10, 13].includes(code));

  for (const code of [...controls, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffe, 0xffff]) {
    const text = `a${String.fromCharCode(code)}b`;
    const [item] = tree(feedText(sampleFeed({ episodes: [sampleEpisode({ title: text, description: text })] }))).item;
    expect([item.title, item['content:encoded']], code.toString(16)).toEqual(['ab', 'ab']);
  }
});

/** The episodes in pages of ten, and the number of pages that were read. */
function paged(episodes: FeedEpisode[]) {
  const read = { pages: 0 };
  async function* pages() {
    for (let at = 0; at < episodes.length; at += 10) {
      read.pages += 1;
      yield episodes.slice(at, at + 10);
    }
  }
  return { pages, read };
}

const several = Array.from({ length: 45 }, (_, at) =>
  sampleEpisode({ guid: `g${at}`, type: at % 7 === 0 ? 'trailer' : 'full' }),
);

test('a streamed feed has the same bytes', async () => {
  const feed = sampleFeed({ episodes: several });

  const parts: Buffer[] = [];
  for await (const part of streamFeed(feed, paged(several).pages())) parts.push(part);

  expect(parts.length).toBeGreaterThan(5);
  expect(Buffer.concat(parts).equals(writeFeed(feed))).toBe(true);
});

test('a page is read only after the previous one has been consumed', async () => {
  const { pages, read } = paged(several);
  const stream = streamFeed(sampleFeed(), pages());

  await stream.next();
  expect(read.pages).toBe(0);
  await stream.next();
  expect(read.pages).toBe(1);

  await stream.return();
  expect(read.pages).toBe(1);
});

test.each([0, -1, Number.NaN, 1.5])('an episode with a file of %d bytes is left out and reported', (bytes) => {
  const unknown = sampleEpisode({ guid: 'b', type: 'trailer', audio: { url: 'https://a.example/b.mp3', bytes } });
  const warnings: FeedWarning[] = [];

  const channel = tree(
    feedText(sampleFeed({ episodes: [sampleEpisode({ guid: 'a' }), unknown] }), (one) => warnings.push(one)),
  );

  expect(channel.item.map(({ guid }: { guid: { '#text': string } }) => guid['#text'])).toEqual(['a']);
  expect(channel).not.toHaveProperty('podcast:trailer');
  expect(warnings).toEqual([{ kind: 'length_unknown', guid: 'b' }]);
});

test('a description of 4 MB is cut to the limits of directories and reported', () => {
  const description = `<p>Uno <a href="https://a.example">${'ñ🎙️ &amp; '.repeat(330_000)}</a></p>`;
  const warnings: FeedWarning[] = [];

  const document = feedText(
    sampleFeed({ description, episodes: [sampleEpisode({ guid: 'g', description })] }),
    (warning) => warnings.push(warning),
  );

  const bytes = Buffer.byteLength(description);
  expect(bytes).toBeGreaterThan(4_000_000);
  expect(warnings).toEqual([
    { kind: 'description_cut', guid: null, bytes },
    { kind: 'notes_cut', guid: 'g', bytes },
  ]);
  const channel = tree(document);
  for (const [text, most] of [
    [channel.description, 4000],
    [channel.item[0].description, 10_000],
    [channel.item[0]['content:encoded'], 100_000],
  ] as const) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    expect(Buffer.byteLength(text)).toBeGreaterThan(most - 300);
    expect(text).toMatch(/<\/a><\/p>$/);
    expect(text).not.toMatch(/&(?!amp;)/);
  }
  expect(XMLValidator.validate(document)).toBe(true);
});

test('a feed for Spotify has its partner and the entitlements of each episode', () => {
  const episodes = [sampleEpisode({ entitlements: ['plata'] }), sampleEpisode({ guid: 'b' })];
  const document = feedText(sampleFeed({ spotify: { partner: 'p1', sandbox: true }, episodes }));
  const channel = tree(document);

  expect(document).toContain('xmlns:spotify="http://www.spotify.com/ns/rss"');
  expect(channel['spotify:access']).toMatchObject({ partner: { '@id': 'p1' }, sandbox: { '@enabled': 'true' } });
  expect(channel.item[0]['spotify:access']).toMatchObject({ entitlement: { '@name': 'plata' } });
  expect(channel.item[1]).not.toHaveProperty('spotify:access');
  expect(feedText(sampleFeed())).not.toContain('spotify');
});

test.each([null, 0, 499])('a duration of %s ms is left out', (durationMs) => {
  const feed = sampleFeed({ episodes: [sampleEpisode({ durationMs })] });

  expect(feedText(feed)).not.toContain('itunes:duration');
});

test.each([
  [1, true],
  [2 ** 40, true],
  [0, false],
  [-1, false],
  [1.5, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('%d bytes count as a known file size: %s', (bytes, known) => {
  expect(isLengthKnown({ audio: { url: 'https://a.example/1.mp3', bytes } })).toBe(known);
});
