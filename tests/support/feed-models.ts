import fc, { type Arbitrary } from 'fast-check';
import { CATEGORIES, categoryPath } from '~/server/feed/apple-categories';
import type { FeedDocument, FeedEpisode, FeedShow } from '~/server/feed/model';

/** Texts that have broken real feeds. */
const HOSTILE = [
  ']]>',
  '<![CDATA[',
  '</title>',
  '</description><item>',
  '<!--',
  '-->',
  '&amp;',
  '&amp;amp;',
  '&nbsp;',
  '&#0;',
  '&b;=2',
  '<b>bold</b>',
  '<script>alert(1)</script>',
  'Ã±',
  'â€¦',
  '\u202eabc',
  'مرحبا',
  'שלום',
  '🎙️',
  '👩‍👩‍👧',
  '\u0000',
  '\u001b',
  '\ud83d',
  '\udc00',
  '\ufffe',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\u00a0',
  '\r\n',
  '\t',
  '"',
  "'",
  '<?xml',
  '%',
  'ñ',
];

const raw = fc
  .array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 8 }), fc.lorem({ maxCount: 3 })),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));

/** Keeps the characters that XML 1.0 §2.2 allows. */
function sayable(text: string): string {
  return Array.from(text)
    .filter((char) => {
      const code = char.codePointAt(0)!;
      if (code < 0x20) return code === 9 || code === 10 || code === 13;
      return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
    })
    .join('');
}

/** The part of a line and of a text that a feed keeps, for the expected model. */
export const keptLine = (text: string) =>
  sayable(text)
    .replace(/\s{2,}|[\t\n\r]/g, ' ')
    .trim();
export const keptText = (text: string) => sayable(text).trim().replace(/\r\n?/g, '\n');

const line = raw.map(keptLine).filter((text) => text !== '');
const text = raw.map(keptText);
const maybe = <T>(one: Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
const some = <T>(one: Arbitrary<T>) => maybe(fc.array(one, { minLength: 1, maxLength: 2 }));
const url = fc.oneof(
  fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://a.example/x?a=1&b=2',
    'https://a.example/?a;b=2&amp;c',
    'http://ñandú.example/ñ/🎙️.mp3?q="1"',
  ),
);
const at = fc.integer({ min: 0, max: 4_000_000_000 }).map((second) => new Date(second * 1000));
const ms = fc.integer({ min: 0, max: 350_000_000 });
const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/);
const flag = maybe(fc.constant(true));

const person = fc.record({ name: line, role: maybe(line), group: maybe(line), image: maybe(url), link: maybe(url) });
const image = fc.record({
  url: url.map((one) => `${one}#image`),
  alt: maybe(line),
  aspectRatio: maybe(fc.constantFrom('1/1', '16/9')),
  width: maybe(fc.nat(9999)),
  height: maybe(fc.nat(9999)),
  type: maybe(fc.constantFrom('image/png', 'image/webp')),
  purpose: maybe(token),
});
const license = fc.record({ name: line, url: maybe(url) });
const funding = fc.record({ url, text: line });
const location = fc.record({
  name: line,
  rel: maybe(token),
  geo: maybe(line),
  osm: maybe(line),
  country: maybe(token),
});
const txt = fc.record({ purpose: maybe(line), text: line });
const reference = fc.record({
  feedGuid: line,
  feedUrl: maybe(url),
  itemGuid: maybe(line),
  medium: maybe(token),
  title: maybe(line),
});
const frequency = fc.record({ text: line, complete: flag, startsAt: maybe(line), rule: maybe(line) });
const category = fc.constantFrom(...CATEGORIES).map(({ id }) => {
  const { parent, category: own } = categoryPath(id)!;
  return parent ? { name: parent.name, sub: own.name } : { name: own.name };
});

const episode: Arbitrary<FeedEpisode> = fc.record({
  guid: line,
  title: line,
  description: text,
  link: fc.oneof(url, fc.constant('')),
  type: fc.constantFrom('full', 'trailer', 'bonus'),
  audio: fc.record({
    url,
    bytes: fc.integer({ min: 1, max: 2 ** 40 }),
    type: fc.constantFrom('audio/mpeg', 'audio/x-m4a', 'audio/ogg', 'video/mp4', 'audio/aac'),
  }),
  durationMs: fc.oneof(
    fc.integer({ min: 1, max: 350_000 }).map((seconds) => seconds * 1000),
    fc.constant(null),
  ),
  publishedAt: at,
  author: maybe(line),
  cover: maybe(url),
  images: some(image),
  season: maybe(fc.integer({ min: 1, max: 999_999 })),
  number: maybe(fc.integer({ min: 1, max: 999_999 })),
  explicit: fc.boolean(),
  hidden: flag,
  license: maybe(license),
  persons: some(person),
  funding: some(funding),
  locations: some(location),
  texts: some(txt),
  transcripts: some(
    fc.record({
      url,
      type: fc.constantFrom('text/vtt', 'application/x-subrip'),
      language: maybe(token),
      rel: maybe(token),
    }),
  ),
  chapters: maybe(fc.record({ url, type: fc.constantFrom('application/json+chapters', 'application/json') })),
  marks: some(fc.record({ startMs: ms, title: line, link: maybe(url), image: maybe(url) })),
  soundbites: some(fc.record({ startMs: fc.nat(9_000_000), durationMs: fc.nat(9_000_000), title: maybe(line) })),
  entitlements: some(line),
});

const show: Arbitrary<FeedShow> = fc.record({
  title: line,
  description: text,
  link: url,
  self: url,
  next: maybe(url),
  hub: maybe(url),
  movedTo: maybe(url),
  language: fc.constantFrom('es', 'en', 'en-US', 'pt-BR', 'zh-Hant'),
  author: line,
  ownerName: maybe(line),
  ownerEmail: maybe(fc.constantFrom('ana+podcast@example.com', "o'neil@example.org", 'x_y@sub.example.co')),
  copyright: maybe(line),
  cover: fc.record({ url: url.map((one) => `${one}#cover`), width: maybe(fc.integer({ min: 1, max: 9999 })) }),
  images: some(image),
  categories: fc.uniqueArray(category, { maxLength: 3, selector: (one) => JSON.stringify(one) }),
  explicit: fc.boolean(),
  order: fc.constantFrom('episodic', 'serial'),
  complete: flag,
  guid: line,
  locked: fc.boolean(),
  hidden: flag,
  blocks: some(fc.record({ service: token, blocked: fc.boolean() })),
  medium: maybe(fc.constantFrom('music', 'audiobook', 'course')),
  license: maybe(license),
  funding: some(funding),
  persons: some(person),
  locations: some(location),
  texts: some(txt),
  podroll: some(reference),
  updateFrequency: maybe(frequency),
  spotify: maybe(fc.record({ partner: line, sandbox: flag })),
  changedAt: at,
});

/** Models of hostile text that a feed can represent exactly. */
export const feedModel: Arbitrary<FeedDocument> = fc
  .tuple(show, fc.uniqueArray(episode, { maxLength: 3, selector: ({ guid }) => guid }))
  .map(([one, episodes]) => ({
    ...one,
    // an owner's name is written only with an email address, and only if it differs from the author's
    ownerName: one.ownerEmail && one.ownerName !== one.author ? one.ownerName : undefined,
    // Apple requires a description, so the title replaces an empty one
    description: one.description || one.title.trim(),
    episodes: one.spotify ? episodes : episodes.map((each) => ({ ...each, entitlements: undefined })),
  }));
