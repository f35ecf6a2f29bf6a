import { expect, test } from 'vitest';
import { joinPages, nextPage } from '~/server/feed/reader/pages';
import { episodeOf, FILE, lossesOf, parseSource, repairsOf, rss, showOf } from '../support/feed-reading';

const enclosure = (url: string, type: string, length = '1000') =>
  `<enclosure url="${url}" length="${length}" type="${type}"/>`;
const AT = 'https://a.example';

test.each([
  ['MP3 before video', enclosure(`${AT}/1.mp4`, 'video/mp4') + enclosure(`${AT}/1.mp3`, 'audio/mpeg'), `${AT}/1.mp3`],
  [
    'audio before video',
    enclosure(`${AT}/1.mp4`, 'video/mp4') + enclosure(`${AT}/1.m4a`, 'audio/x-m4a'),
    `${AT}/1.m4a`,
  ],
  [
    'video where there is nothing else',
    enclosure(`${AT}/1.jpg`, 'image/jpeg') + enclosure(`${AT}/1.mp4`, 'video/mp4'),
    `${AT}/1.mp4`,
  ],
  [
    'what the name says where the type says nothing',
    enclosure(`${AT}/1.jpg`, '') + enclosure(`${AT}/2.MP3?x=1`, ''),
    `${AT}/2.MP3?x=1`,
  ],
  ['media of Yahoo', `<media:content url="${AT}/1.mp3" fileSize="5" type="audio/mpeg"/>`, `${AT}/1.mp3`],
  [
    'a group of media, the default first',
    `<media:group><media:content url="${AT}/1.mp3" type="audio/mpeg"/><media:content url="${AT}/2.mp3" type="audio/mpeg" isDefault="true"/></media:group>`,
    `${AT}/2.mp3`,
  ],
  [
    'alternate enclosures',
    `<podcast:alternateEnclosure type="audio/mpeg"><podcast:source uri="ipfs://x"/><podcast:source uri="${AT}/1.mp3"/></podcast:alternateEnclosure>`,
    `${AT}/1.mp3`,
  ],
  ['a link to a file', `<link>${AT}/1.mp3</link>`, `${AT}/1.mp3`],
  [
    'FeedBurner’s original',
    `${enclosure('https://feeds.feedburner.example/~r/x.mp3', 'audio/mpeg')}<feedburner:origEnclosureLink>${AT}/1.mp3</feedburner:origEnclosureLink>`,
    `${AT}/1.mp3`,
  ],
  ['white space around it', enclosure(`\n ${AT}/1.mp3 `, 'audio/mpeg'), `${AT}/1.mp3`],
  ['an address escaped twice', enclosure(`${AT}/1.mp3?a=1&amp;amp;b=2`, 'audio/mpeg'), `${AT}/1.mp3?a=1&b=2`],
  ['an address with a slipped semicolon', enclosure(`${AT}/1.mp3?a=1&b;=2`, 'audio/mpeg'), `${AT}/1.mp3?a=1&b=2`],
  ['an address with spaces', enclosure(`${AT}/mi episodio.mp3`, 'audio/mpeg'), `${AT}/mi%20episodio.mp3`],
  ['an address without a scheme', enclosure('//a.example/1.mp3', 'audio/mpeg'), `${AT}/1.mp3`],
  ['a relative address', enclosure('audio/1.mp3', 'audio/mpeg'), `${AT}/audio/1.mp3`],
  ['a file by its name, declared as a page', enclosure(`${AT}/1.mp3`, 'text/html'), `${AT}/1.mp3`],
  ['a file by its name, declared as a picture', enclosure(`${AT}/1.mp3?x=1`, 'image/jpeg'), `${AT}/1.mp3?x=1`],
  ['a file of a type that does not exist', enclosure(`${AT}/play/1`, 'application/mp3'), `${AT}/play/1`],
  ['a file named in the query', enclosure(`${AT}/get.html?file=1.mp3`, ''), `${AT}/get.html?file=1.mp3`],
  [
    'the first readable address',
    enclosure('ftp://a.example/1.mp3', 'audio/mpeg') + enclosure(`${AT}/2.mp3`, 'audio/mpeg'),
    `${AT}/2.mp3`,
  ],
  [
    'an Atom link with several relations',
    `<atom:link rel="alternate Enclosure" href="${AT}/1.mp3" type="audio/mpeg"/>`,
    `${AT}/1.mp3`,
  ],
  [
    'the content of an Atom entry that is elsewhere',
    `<atom:content type="audio/mpeg" src="${AT}/1.mp3"/>`,
    `${AT}/1.mp3`,
  ],
  [
    'an enclosure of RSS 1.0',
    `<enc:enclosure xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#" rdf:resource="${AT}/1.mp3" enc:type="audio/mpeg"/>`,
    `${AT}/1.mp3`,
  ],
  ['an address whose quote is never closed', `<enclosure type='audio/mpeg' url="${AT}/1.mp3 />`, `${AT}/1.mp3`],
  ['the address as text', `<enclosure type="audio/mpeg">${AT}/1.mp3</enclosure>`, `${AT}/1.mp3`],
])('the chosen file is %s', (_, tags, url) => {
  expect(episodeOf(tags).audio.url).toBe(url);
});

test.each([
  ['a picture', enclosure(`${AT}/1.jpg`, 'image/jpeg')],
  ['a picture whose address does not show it', enclosure(`${AT}/1`, 'image')],
  ['any picture', enclosure(`${AT}/1`, 'image/*')],
  ['a picture of unknown type', `<media:content url="${AT}/1" medium="image"/>`],
  ['a picture by another name', `<media:content url="${AT}/1.webp"/>`],
  ['an attached document', `<media:content url="${AT}/1" medium="document"/>`],
  ...['torrent', 'docx', 'zip', 'epub', 'html', 'srt'].map((name) => [
    `a file named .${name}`,
    `<enclosure url="${AT}/1.${name}" length="9"/>`,
  ]),
  ['a torrent of unknown type', enclosure(`${AT}/1.mp3.torrent`, 'application/octet-stream')],
  ['no address', '<enclosure url="" type="audio/mpeg"/>'],
  ['an address of another kind', enclosure('ftp://a.example/1.mp3', 'audio/mpeg')],
  ['a script', enclosure('javascript:alert(1)', 'audio/mpeg')],
  ['nothing', ''],
])('an item with %s is not an episode and is reported', (_, tags) => {
  const reading = parseSource(rss(`<item><title>a</title>${tags}</item><item><title>b</title>${FILE}</item>`));

  expect(reading.feed?.episodes.map(({ title }) => title)).toEqual(['b']);
  expect(lossesOf(reading)).toContain('item_without_audio');
});

test.each([
  'audio/mp3',
  'audio/x-mp3',
  'audio/mpg',
  'audio/x-mpeg',
  'AUDIO/MPEG',
  'mp3',
  'application/mp3',
  'application/x-mpeg',
  'text/html',
  'image/jpeg',
  'audio',
  'audio/mpeg; charset=binary',
  'application/octet-stream',
])('the type %s means audio/mpeg', (type) => {
  const reading = parseSource(rss(`<item>${enclosure(`${AT}/1.mp3`, type)}</item>`));

  expect(reading.feed?.episodes[0]?.audio.type).toBe('audio/mpeg');
  expect(repairsOf(reading)).toContain('type_repaired');
});

test.each([
  ['', 0],
  ['0', 0],
  ['-1', 0],
  ['12.5', 0],
  ['many', 0],
  [' 77 ', 77],
  ['12,345,678', 12_345_678],
  ['12.345.678', 12_345_678],
  ['12 345 678', 12_345_678],
  ['1&#160;234', 1234],
  ["12'345", 12_345],
  ['12_345', 12_345],
  ['1,23', 0],
  ['12.345,678', 0],
])('a length of "%s" is %i bytes', (length, bytes) => {
  expect(episodeOf(enclosure(`${AT}/1.mp3`, 'audio/mpeg', length)).audio.bytes).toBe(bytes);
});

const item = (guid: string, file: string, title = 'a') =>
  `<item><title>${title}</title>${guid}${enclosure(file, 'audio/mpeg')}</item>`;

test('a missing GUID is derived from the file, without scheme and token', () => {
  const guids = [`http://a.example/1.mp3?token=1`, `${AT}/1.mp3`].map(
    (url) => showOf(rss(item('', url))).episodes[0]!.guid,
  );

  expect(guids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-5/);
  expect(guids[0]).toBe(guids[1]);
});

test('white space around a GUID is removed', () => {
  const reading = parseSource(rss(item('<guid>\n  abc \n</guid>', `${AT}/1.mp3`)));

  expect(reading.feed?.episodes[0]?.guid).toBe('abc');
  expect(repairsOf(reading)).toContain('guid_trimmed');
});

test('two episodes with the same GUID get different ones, and a duplicate item is dropped', () => {
  const twice = item('<guid>x</guid>', `${AT}/1.mp3`);
  const reading = parseSource(rss(twice + item('<guid>x</guid>', `${AT}/2.mp3`) + twice + item('', `${AT}/2.mp3?b`)));

  const guids = reading.feed!.episodes.map(({ guid }) => guid);
  expect(guids).toHaveLength(3);
  expect(new Set(guids).size).toBe(3);
  expect(guids[0]).toBe('x');
  expect(repairsOf(reading)).toContain('guid_duplicate');
  expect(lossesOf(reading)).toContain('item_duplicate');
});

test.each([
  [
    'from the notes',
    '<description>&lt;p&gt;Hoy hablamos de la lluvia.&lt;/p&gt;</description>',
    'Hoy hablamos de la lluvia.',
  ],
  ['from the file', '', '1'],
])('a missing title is derived from %s', (_, tags, title) => {
  expect(episodeOf(tags + FILE).title).toBe(title);
});

test('the full notes win over the summary, which is used if it is the only text', () => {
  const both = '<description>Breve</description><content:encoded><![CDATA[<p>Breve y más</p>]]></content:encoded>';

  expect(episodeOf(both + FILE).description).toBe('<p>Breve y más</p>');
  expect(episodeOf(`<itunes:summary>Resumen</itunes:summary>${FILE}`).description).toBe('Resumen');
});

test.each([
  ['the link', `<link>${AT}/uno</link>`],
  ['the Atom link', `<atom:link href="${AT}/uno"/>`],
  ['the Atom link of several relations', `<atom:link rel="self alternate" href="${AT}/uno"/>`],
])('%s is used if FeedBurner’s original is unreadable', (_, link) => {
  for (const original of ['mailto:a@a.example', 'no address', '/r/~3/x', 'https://'])
    expect(episodeOf(`<feedburner:origLink>${original}</feedburner:origLink>${link}${FILE}`).link).toBe(`${AT}/uno`);
});

test('invalid numbers are reported as lost, not guessed', () => {
  const reading = parseSource(
    rss(`<item>${FILE}<itunes:episode>cinco</itunes:episode><itunes:season>0</itunes:season></item>`),
  );

  expect(reading.feed?.episodes[0]).toMatchObject({ number: undefined, season: undefined });
  expect(lossesOf(reading)).toContain('number_unreadable');
});

test('if the first date is unreadable, other date tags are used', () => {
  const tags = '<pubDate>soon</pubDate><dc:date>2020-07-13T04:00:00Z</dc:date>';

  expect(episodeOf(tags + FILE).publishedAt).toEqual(new Date('2020-07-13T04:00:00Z'));
});

test('chapters of Podlove and Podcasting 2.0, transcripts, persons and soundbites are kept', () => {
  const psc =
    '<psc:chapters version="1.2"><psc:chapter start="00:00:00" title="Inicio"/><psc:chapter start="1:30.5" title="Plaza" href="https://a.example/p"/></psc:chapters>';
  const pod =
    '<podcast:chapters url="https://a.example/c.json" type="application/json+chapters"/><podcast:transcript url="https://a.example/t.vtt" type="text/vtt" language="es"/><podcast:person role="guest">Ana</podcast:person><podcast:soundbite startTime="73.0" duration="60"/>';

  expect(episodeOf(psc + pod + FILE)).toMatchObject({
    marks: [
      { startMs: 0, title: 'Inicio' },
      { startMs: 90_500, title: 'Plaza', link: 'https://a.example/p' },
    ],
    chapters: { url: 'https://a.example/c.json', type: 'application/json+chapters' },
    transcripts: [{ url: 'https://a.example/t.vtt', type: 'text/vtt', language: 'es' }],
    persons: [{ name: 'Ana', role: 'guest' }],
    soundbites: [{ startMs: 73_000, durationMs: 60_000 }],
  });
});

test('contacts that can verify ownership are listed by trust', () => {
  const owner =
    '<itunes:owner><itunes:name>Lucía</itunes:name><itunes:email> lucia@a.example </itunes:email></itunes:owner>';
  const others =
    '<managingEditor>Ed (editor@a.example)</managingEditor><podcast:locked owner="lock@a.example">YES</podcast:locked>';

  expect(showOf(rss('', others + owner))).toMatchObject({
    locked: true,
    ownerEmail: 'lucia@a.example',
    contacts: [
      { source: 'itunes:owner', email: 'lucia@a.example' },
      { source: 'managingEditor', email: 'editor@a.example' },
      { source: 'podcast:locked', email: 'lock@a.example' },
    ],
  });
  expect(lossesOf(parseSource(rss('')))).toContain('contact_missing');
});

test('the new address of a moved feed is read from the tags of Apple and Userland', () => {
  expect(showOf(rss('', '<itunes:new-feed-url>https://b.example/f</itunes:new-feed-url>')).movedTo).toBe(
    'https://b.example/f',
  );
  expect(showOf('<rss><redirect><newLocation> https://b.example/f </newLocation></redirect></rss>').movedTo).toBe(
    'https://b.example/f',
  );
});

test.each([
  ['<itunes:image url="https://a.example/c.jpg"/>', null],
  ['<itunes:image>https://a.example/c.jpg</itunes:image>', null],
  ['<image><url>https://a.example/c.jpg</url></image>', 'cover_elsewhere'],
  ['<podcast:image href="https://a.example/c.jpg" purpose="artwork"/>', 'cover_elsewhere'],
])('the cover is read from %s', (tags, repair) => {
  const reading = parseSource(rss('', tags));

  expect(reading.feed?.cover?.url).toBe('https://a.example/c.jpg');
  expect(repairsOf(reading).includes('cover_elsewhere')).toBe(repair !== null);
});

test('Atom feeds are read', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es"><title>Ruido</title><link href="https://a.example/"/><link rel="self" href="https://a.example/atom"/><author><name>Lucía</name></author><updated>2020-07-14T00:00:00Z</updated>
    <entry><id>tag:1</id><title type="html">&lt;b&gt;Uno&lt;/b&gt;</title><published>2020-07-13T04:00:00Z</published><link href="https://a.example/1"/><link rel="enclosure" href="https://a.example/1.mp3" length="9" type="audio/mpeg"/><content type="html">&lt;p&gt;Hola&lt;/p&gt;</content></entry></feed>`;

  expect(showOf(atom)).toMatchObject({
    title: 'Ruido',
    language: 'es',
    author: 'Lucía',
    link: 'https://a.example/',
    self: 'https://a.example/atom',
    episodes: [
      { guid: 'tag:1', title: 'Uno', link: 'https://a.example/1', description: '<p>Hola</p>', audio: { bytes: 9 } },
    ],
  });
});

test.each([
  ['of the feed', 'xml:base="https://b.example/x/"', '', 'https://b.example/x/1.mp3'],
  ['of the entry', 'xml:base="https://b.example/x/"', 'xml:base="y/"', 'https://b.example/x/y/1.mp3'],
  ['relative to the feed’s address', '', 'xml:base="/y/"', 'https://a.example/y/1.mp3'],
  ['no web address', 'xml:base="file:///x/"', 'xml:base="http://["', 'https://a.example/1.mp3'],
])('relative addresses follow the base %s', (_, ofFeed, ofEntry, url) => {
  const link = '<link rel="enclosure" href="1.mp3" type="audio/mpeg"/>';
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" ${ofFeed}><title>Ruido</title><entry ${ofEntry}><title>Uno</title>${link}</entry></feed>`;

  expect(showOf(atom).episodes[0]!.audio.url).toBe(url);
});

test('a feed that ends inside an address has the episodes before it', () => {
  const whole = rss(`<item><title>Uno</title>${FILE}</item><item><title>Dos</title><enclosure url="https://a.exam`);

  expect(showOf(whole.replace('</channel></rss>', '')).episodes.map(({ title }) => title)).toEqual(['Uno']);
});

test('the items of RSS 1.0 are read from outside the channel', () => {
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>Ruido</title></channel><item><title>Uno</title>${FILE}</item></rdf:RDF>`;

  expect(showOf(rdf)).toMatchObject({ title: 'Ruido', episodes: [{ title: 'Uno' }] });
});

test('a trailer that is not an item becomes an episode', () => {
  const show = showOf(
    rss(
      '',
      '<podcast:trailer pubdate="Mon, 13 Jul 2020 04:00:00 GMT" url="https://a.example/t.mp3" length="5" type="audio/mpeg">Pronto</podcast:trailer>',
    ),
  );

  expect(show.episodes).toMatchObject([
    { type: 'trailer', title: 'Pronto', audio: { url: 'https://a.example/t.mp3', bytes: 5 } },
  ]);
});

test('the pages of a feed are followed to the end, never in a loop, and joined', () => {
  const page = (at: number, next: string) => ({
    ...showOf(rss(item(`<guid>${at}</guid>`, `${AT}/${at}.mp3`) + item('<guid>0</guid>', `${AT}/0.mp3`))),
    next,
  });
  const first = page(1, `${AT}/2`);

  expect(nextPage(first, [`${AT}/1`])).toBe(`${AT}/2`);
  expect(nextPage(page(2, `${AT}/1`), [`${AT}/1`, `${AT}/2`])).toBeNull();
  expect(
    nextPage(
      first,
      Array.from({ length: 50 }, (_, at) => `${AT}/p${at}`),
    ),
  ).toBeNull();
  expect(joinPages(first, [page(2, '')]).episodes.map(({ guid }) => guid)).toEqual(['1', '0', '2']);
});

test.each([
  ['en_us', 'en-us'],
  [' ES ', 'es'],
  ['pt-BR', 'pt-BR'],
  ['', ''],
])('the language "%s" is read as %s', (written, language) => {
  expect(showOf(rss('', `<language>${written}</language>`)).language).toBe(language);
});

test('an unreadable original of a file leaves its enclosure', () => {
  const original = '<feedburner:origEnclosureLink>no address</feedburner:origEnclosureLink>';

  expect(episodeOf(enclosure(`${AT}/1.mp3`, 'audio/mpeg') + original).audio.url).toBe(`${AT}/1.mp3`);
});
