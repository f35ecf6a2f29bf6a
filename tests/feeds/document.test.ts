import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseRssFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { type FeedWarning, streamFeed, writeFeed } from '~/server/domain/feeds/document';
import { rfc2822 } from '~/server/domain/feeds/markup';
import { sampleEpisode, sampleFeed } from '../support/feed-samples';

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

test('every tag that Apple requires of a show is there', () => {
  const channel = tree(writeFeed(sampleFeed()));

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

test('every tag that Apple requires of an episode is there', () => {
  const [item] = tree(writeFeed(sampleFeed())).item;

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

test('a feed reader finds the same values again', () => {
  const read = parseRssFeed(writeFeed(sampleFeed({ explicit: true })));

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

test('a trailer is an episode of its kind and a podcast:trailer of the show', () => {
  const xml = writeFeed(
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

test('a feed that moved says where to, a hidden one asks directories to leave it out', () => {
  const channel = tree(writeFeed(sampleFeed({ movedTo: 'https://new.example/feed.xml', hidden: true })));

  expect(channel['itunes:new-feed-url']).toBe('https://new.example/feed.xml');
  expect(channel['itunes:block']).toBe('Yes');
});

test('an address of the owner is shown only when there is one to show', () => {
  expect(tree(writeFeed(sampleFeed()))).not.toHaveProperty('itunes:owner');

  const channel = tree(writeFeed(sampleFeed({ ownerEmail: 'ana+podcast@example.com' })));
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
  const xml = writeFeed(sampleFeed({ title, episodes: [] }));

  expect(xml).toContain(`<title>${expected}</title>`);
  expect(XMLValidator.validate(xml)).toBe(true);
});

test('the end mark of CDATA may stand in a description', () => {
  const [item] = tree(writeFeed(sampleFeed({ episodes: [sampleEpisode({ description: '<p>a]]>b]]]]>c</p>' })] }))).item;

  expect(item['content:encoded']).toBe('<p>a]]>b]]]]>c</p>');
});

test('quotes and line ends in an attribute keep it one attribute', () => {
  const xml = writeFeed(sampleFeed({ episodes: [sampleEpisode({ cover: 'https://x.example/a"b\nc&d.jpg' })] }));

  expect(XMLValidator.validate(xml)).toBe(true);
  expect(tree(xml).item[0]['itunes:image']['@href']).toBe('https://x.example/a"b c&d.jpg');
});

test('any text at all leaves the feed well-formed and byte-stable', { timeout: 30_000 }, () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });

  fc.assert(
    fc.property(text, text, text, (title, description, author) => {
      const one = sampleFeed({
        title,
        author,
        description,
        episodes: [sampleEpisode({ title, description, type: 'trailer' })],
      });

      const xml = writeFeed(one);

      expect(XMLValidator.validate(xml)).toBe(true);
      expect(Buffer.from(xml).toString()).toBe(xml);
      expect(writeFeed(structuredClone(one))).toBe(xml);
    }),
    { numRuns: 150 },
  );
});

test('dates are RFC 2822 in UTC', () => {
  expect(rfc2822(new Date('2026-01-09T23:59:59.999Z'))).toBe('Fri, 09 Jan 2026 23:59:59 +0000');
});

test('a thousand episodes take no more than a moment', () => {
  const description = `<p>${'Una historia de la plaza. '.repeat(40)}</p>`;
  const episodes = Array.from({ length: 1000 }, (_, i) =>
    sampleEpisode({ title: `Episodio ${i}`, description, guid: `guid-${i}` }),
  );
  const big = sampleFeed({ episodes });
  for (let i = 0; i < 3; i++) writeFeed(big);

  const times = Array.from({ length: 9 }, () => {
    const start = process.cpuUsage();
    writeFeed(big);
    return process.cpuUsage(start).user / 1000;
  }).sort((a, b) => a - b);

  // The figure aimed at is 10 ms (benchmarks/feeds); the bound is wide, since a test may share its core.
  expect(times[0]).toBeLessThan(60);
  console.info(`feed of 1,000 episodes: ${times[0]?.toFixed(1)} ms, ${writeFeed(big).length} characters`);
});

test('a feed that is written page by page has the same bytes', async () => {
  const episodes = Array.from({ length: 25 }, (_, at) =>
    sampleEpisode({ guid: `g${at}`, type: at % 7 === 0 ? 'trailer' : 'full' }),
  );
  const whole = sampleFeed({ episodes });
  async function* pages() {
    for (let at = 0; at < episodes.length; at += 10) yield episodes.slice(at, at + 10);
  }

  const parts: string[] = [];
  for await (const part of streamFeed(whole, pages())) parts.push(part);

  expect(parts).toHaveLength(5);
  expect(parts.join('')).toBe(writeFeed(whole));
});

test('a description of 4 MB is cut where directories would cut it, and told', () => {
  const description = `<p>Uno <a href="https://a.example">${'ñ🎙️ &amp; '.repeat(330_000)}</a></p>`;
  const warnings: FeedWarning[] = [];

  const document = writeFeed(
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

test('the feed for Spotify names its partner and what each episode asks for', () => {
  const episodes = [sampleEpisode({ entitlements: ['plata'] }), sampleEpisode({ guid: 'b' })];
  const document = writeFeed(sampleFeed({ spotify: { partner: 'p1', sandbox: true }, episodes }));
  const channel = tree(document);

  expect(document).toContain('xmlns:spotify="http://www.spotify.com/ns/rss"');
  expect(channel['spotify:access']).toMatchObject({ partner: { '@id': 'p1' }, sandbox: { '@enabled': 'true' } });
  expect(channel.item[0]['spotify:access']).toMatchObject({ entitlement: { '@name': 'plata' } });
  expect(channel.item[1]).not.toHaveProperty('spotify:access');
  expect(writeFeed(sampleFeed())).not.toContain('spotify');
});

test('a length that is not known is left out', () => {
  const feed = sampleFeed({ episodes: [sampleEpisode({ durationMs: null })] });

  expect(writeFeed(feed)).not.toContain('itunes:duration');
});
