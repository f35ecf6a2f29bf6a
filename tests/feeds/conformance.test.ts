import { expect, test } from 'vitest';
import { checkConformance, RULES, SOURCES } from '~/server/domain/feeds/conformance';
import { feedText, sampleEpisode, sampleFeed } from '../support/feed-samples';

const READY = feedText(sampleFeed({ ownerEmail: 'ana@example.com' }));
const broken = (document: string) => checkConformance(document).map(({ rule }) => rule);

test('what we write breaks no rule', () => {
  expect(checkConformance(READY)).toEqual([]);
});

test('a feed with every tag breaks none either', () => {
  const full = sampleFeed({ ownerEmail: 'ana@example.com', spotify: { partner: 'p1' }, next: 'https://a.example/2' });

  expect(checkConformance(feedText(full))).toEqual([]);
});

test('what only looks like a fault breaks none', () => {
  const sound =
    '<!-- ]]> &nbsp; --><x a="]]>" b="a &#x1F600; > b"><![CDATA[&nbsp; </X>]]> ]] > &amp;</x><x a="1"/></channel>';

  expect(broken(READY.replace('</channel>', sound))).not.toContain('well_formed');
});

/** One change to a feed without fault, and the rule that it breaks. */
const CHANGES: [rule: string, from: string | RegExp, to: string][] = [
  ['well_formed', '</link>', '</lnk>'],
  ['well_formed', 'Ruido de fondo', 'Ruido & fondo'],
  ...['\u0001', '&#1;', '\ud800', '&#xD800;', 'a ]]> b', '&nbsp;', '&#1114112;'].map(
    (text): [string, string, string] => ['well_formed', 'Ruido de fondo', text],
  ),
  ['well_formed', '<rss version="2.0"', '<rss version="2.0" version="2.0"'],
  ['well_formed', '</rss>', '</rss><rss></rss>'],
  ['well_formed', '</rss>', '</RSS>'],
  ['namespaces_declared', /xmlns:itunes="[^"]+"/, ''],
  ['encoding_utf8', 'encoding="UTF-8"', 'encoding="ISO-8859-1"'],
  ['title_present', '<title>Ruido de fondo</title>', '<title/>'],
  ['title_once', '<title>Ruido de fondo</title>', '<title>a</title><title>b</title>'],
  ['title_length', '<title>Ruido de fondo</title>', `<title>${'a'.repeat(256)}</title>`],
  ['values_tidy', '<title>Ruido de fondo</title>', '<title> Ruido de fondo </title>'],
  ['values_tidy', '<title>Ruido de fondo</title>', '<title><![CDATA[ Ruido ]]></title>'],
  ['description_present', /<description>.*?<\/description>/s, ''],
  ['description_bytes', '<p>Historias', `<p>${'ñ'.repeat(2001)}`],
  ['link_present', /<link>[^<]+<\/link>/, '<link>lucia</link>'],
  ['language_present', '<language>es</language>', ''],
  ['self_link', 'rel="self"', 'rel="alternate"'],
  ['image_present', /<itunes:image [^>]+>/, ''],
  ['image_type', 'full.jpg"/>', 'full.webp"/>'],
  ['explicit_present', '<itunes:explicit>false', '<itunes:explicit>clean'],
  ['category_present', /<itunes:category.*<itunes:category text="Arts"\/>/s, ''],
  ['category_known', 'text="Arts"', 'text="arts"'],
  ['category_known', 'text="Documentary"', 'text="Design"'],
  ['author_present', /<itunes:author>.*?<\/itunes:author>/, ''],
  ['owner_email', /<itunes:owner>.*?<\/itunes:owner>/s, ''],
  ['type_known', '>episodic<', '>weekly<'],
  ['new_address', '<podcast:guid>', '<itunes:new-feed-url>soon</itunes:new-feed-url><podcast:guid>'],
  ['dates_written', /<lastBuildDate>[^<]+/, '<lastBuildDate>2026-03-04T10:00:00Z'],
  ['guid_of_podcast', /<podcast:guid>[^<]+/, '<podcast:guid>mine'],
  ['locked_said', '<podcast:locked owner="ana@example.com">no', '<podcast:locked>maybe'],
  ['funding_address', '<podcast:guid>', '<podcast:funding url="here">x</podcast:funding><podcast:guid>'],
  [
    'spotify_partner',
    '<podcast:guid>',
    '<spotify:access xmlns:spotify="http://www.spotify.com/ns/rss"/><podcast:guid>',
  ],
  ['episodes_present', /<item>.*<\/item>/s, ''],
  ['guids_distinct', /<item>.*<\/item>/s, '$&$&'],
  ['files_distinct', /<item>.*<\/item>/s, '$&$&'],
  ['episode_title', '<title>Las campanas de la torre</title>', ''],
  ['episode_title_length', 'Las campanas de la torre', 'a'.repeat(256)],
  ['episode_values_tidy', '<title>Las', '<title> Las'],
  ['enclosure_once', /<enclosure [^>]+>/, ''],
  ['enclosure_once', /<enclosure [^>]+>/, '$&$&'],
  ['enclosure_address', 'enclosure url="https:', 'enclosure url="ftp:'],
  ['enclosure_ascii', 'las-campanas.mp3"', 'las-campañas.mp3"'],
  ['enclosure_length', 'length="1234567"', 'length="0"'],
  ['enclosure_type', 'type="audio/mpeg"', 'type="audio/mp3"'],
  ['guid_present', /<guid.*?<\/guid>/, ''],
  ['guid_permalink', 'isPermaLink="false"', ''],
  ['date_present', /<pubDate>.*?<\/pubDate>/, ''],
  ['date_written', 'Tue, 03 Mar 2026 08:05:09 +0000', '3 March 2026'],
  ['description_given', /<description><!\[CDATA\[<p>Una.*?<\/description>/s, ''],
  ['episode_description_bytes', '<p>Una', `<p>${'ñ'.repeat(5001)}`],
  ['duration_present', /<itunes:duration>.*?<\/itunes:duration>/, ''],
  ['duration_written', '<itunes:duration>61', '<itunes:duration>1 min'],
  ['episode_explicit', /(<\/enclosure>|<item>.*)<itunes:explicit>false/s, '$1<itunes:explicit>yes'],
  ['episode_type', '>full<', '>short<'],
  ['episode_numbers', '<itunes:episode>14', '<itunes:episode>0'],
  ['serial_numbers', /(>)episodic(<.*)<itunes:episode>14<\/itunes:episode>/s, '$1serial$2'],
  ['episode_image', '<enclosure', '<itunes:image href="cover"/><enclosure'],
  ['transcript_type', '<enclosure', '<podcast:transcript url="https://a.example/t" type="text/odd"/><enclosure'],
  ['chapters_type', '<enclosure', '<podcast:chapters url="https://a.example/c" type="text/xml"/><enclosure'],
];

test.each(CHANGES)('%s is missed where %s becomes something else', (rule, from, to) => {
  const changed = READY.replace(from, to);

  expect(changed).not.toBe(READY);
  expect(broken(changed)).toContain(rule);
});

test('every rule has a case above, a source that can be read, and a name of its own', () => {
  const tried = new Set(CHANGES.map(([rule]) => rule));

  expect(RULES.filter(({ name }) => !tried.has(name)).map(({ name }) => name)).toEqual([]);
  expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  for (const { source } of RULES) expect(SOURCES[source].url).toMatch(/^https:/);
});

test('a breach says which items it is about', () => {
  const episodes = ['a', 'b', 'c'].map((guid, at) =>
    sampleEpisode({ guid, audio: { url: `https://a.example/${guid}.mp3`, bytes: 1 + at } }),
  );
  const document = feedText(sampleFeed({ ownerEmail: 'ana@example.com', episodes })).replace(
    'length="2"',
    'length="0"',
  );

  const breaches = checkConformance(document);

  expect(breaches).toEqual([{ rule: 'enclosure_length', source: 'apple', severity: 'error', items: [2] }]);
});

test('what is no feed says so', () => {
  expect(broken('<html><body>Not found</body></html>')).toContain('channel_present');
});
