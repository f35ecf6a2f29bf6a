import { deriveFeedGuid } from '../guids';
import { childrenNamed, firstChild, firstNonEmpty, relationsOf } from '../markup/elements';
import type { Element } from '../markup/tree';
import { readCategories } from './categories';
import { readDate } from './dates';
import { readExplicit } from './episodes';
import type { FeedContact, ImportedFeed } from './model';
import { readNotes } from './notes';
import {
  isYes,
  readBlocks,
  readFrequency,
  readFunding,
  readImages,
  readLicense,
  readLocations,
  readPersons,
  readPodroll,
  readTexts,
  reportUnreadTags,
  wholeNumber,
} from './podcasting';
import { attributeText, type Reader, readText, readTitle, readUrl } from './texts';

export type ParsedShow = Omit<ImportedFeed, 'episodes'>;

const DESCRIPTIONS = [
  'description',
  'atom:subtitle',
  'subtitle',
  'itunes:summary',
  'googleplay:description',
  'itunes:subtitle',
];

/** Reads the show from the channel of RSS or the feed element of Atom. `url` is the address of the document. */
export function readShow(reader: Reader, channel: Element, url: string | null): ParsedShow {
  const cover = coverOf(reader, channel);
  const contacts = contactsOf(channel);
  if (contacts.length === 0) reader.log.lost('contact_missing');
  if (!cover) reader.log.lost('cover_missing');
  reportUnreadTags(reader, channel, 0);
  const urls = urlsOf(reader, channel, url);
  return {
    title: titleOf(reader, channel),
    description: readNotes(reader, channel, { names: DESCRIPTIONS, item: 0 }),
    ...urls,
    language: languageOf(reader, channel),
    ...peopleOf(channel),
    copyright: readText(firstNonEmpty(channel, 'copyright', 'atom:rights', 'rights', 'dc:rights')) || undefined,
    cover,
    images: readImages(reader, channel, { cover: cover?.url ?? '', item: 0 }),
    categories: readCategories(channel, reader.log),
    explicit: readExplicit(reader, channel, 0) ?? false,
    order: orderOf(reader, channel),
    complete: isYes(firstChild(channel, 'itunes:complete')) || undefined,
    guid: readText(firstChild(channel, 'podcast:guid')) || (urls.self ? deriveFeedGuid(urls.self) : ''),
    locked: isYes(firstChild(channel, 'podcast:locked')),
    hidden: isHidden(channel) || undefined,
    ...optionalTagsOf(reader, channel),
    changedAt: changedAt(channel, reader),
    contacts,
  };
}

function urlsOf(reader: Reader, channel: Element, url: string | null) {
  const link = firstChild(channel, 'link')?.text.trim() || atomLink(channel, 'alternate');
  return {
    link: readUrl(reader, link, 0) || atomLinkUrl(reader, channel, 'alternate'),
    self: atomLinkUrl(reader, channel, 'self') || url || '',
    next: atomLinkUrl(reader, channel, 'next') || undefined,
    hub: atomLinkUrl(reader, channel, 'hub') || undefined,
    movedTo: readUrl(reader, readText(firstNonEmpty(channel, 'itunes:new-feed-url')), 0) || undefined,
  };
}

function optionalTagsOf(reader: Reader, channel: Element) {
  return {
    blocks: readBlocks(reader, channel),
    medium: mediumOf(channel),
    license: readLicense(reader, channel, 0),
    funding: readFunding(reader, channel, 0),
    persons: readPersons(reader, channel, 0),
    locations: readLocations(reader, channel, 0),
    texts: readTexts(reader, channel, 0),
    podroll: readPodroll(reader, channel),
    updateFrequency: readFrequency(channel),
    spotify: spotifyOf(channel),
  };
}

function titleOf(reader: Reader, channel: Element): string {
  const title = readTitle(reader, firstNonEmpty(channel, 'title', 'atom:title', 'itunes:title'), 0);
  if (title) return title;
  reader.log.repaired('title_derived');
  const host = /^https?:\/\/([^/]+)/.exec(readText(firstChild(channel, 'link')) || (reader.base ?? ''))?.[1];
  return host ?? '';
}

function atomLink(channel: Element, rel: string): string | undefined {
  const links = [...childrenNamed(channel, 'atom:link'), ...childrenNamed(channel, 'link')];
  const found = links.find((tag) => relationsOf(tag).includes(rel) && tag.attributes.has('href'));
  return attributeText(found, 'href');
}

function atomLinkUrl(reader: Reader, channel: Element, rel: string): string {
  return readUrl(reader, atomLink(channel, rel), 0);
}

/** Normalizes values such as `en_US` and ` ES `; '' if the feed states no language. */
function languageOf({ log }: Reader, channel: Element): string {
  const written =
    readText(firstNonEmpty(channel, 'language', 'dc:language')) || attributeText(channel, 'xml:lang') || '';
  const tag = written.replaceAll('_', '-').replace(/[^A-Za-z\d-]/g, '');
  const language = /^[a-z]{2,3}$/i.test(tag) ? tag.toLowerCase() : tag;
  if (language !== written) log.repaired('language_repaired');
  return language;
}

function peopleOf(channel: Element) {
  const owner = firstChild(channel, 'itunes:owner');
  const atomAuthor = readText(firstChild(firstChild(channel, 'atom:author', 'author'), 'atom:name', 'name'));
  const ownerName = readText(firstChild(owner, 'itunes:name'));
  const author =
    readText(firstNonEmpty(channel, 'itunes:author', 'googleplay:author', 'dc:creator')) || atomAuthor || ownerName;
  const ownerEmail = emailIn(readText(firstChild(owner, 'itunes:email')));
  return {
    author,
    ownerName: ownerName && ownerName !== author && ownerEmail ? ownerName : undefined,
    ownerEmail,
  };
}

const EMAIL = /[^\s<>()[\]:;,"'@][^\s<>()[\]:;,"@]{0,99}@[^\s<>()[\]:;,"'@]{1,200}\.[^\s<>()[\]:;,"'@.]{2,}/;

function emailIn(text: string | undefined): string | undefined {
  return EMAIL.exec(text?.slice(0, 500) ?? '')?.[0];
}

/** Most trusted first: owner, managing editor, owner of the import lock. */
function contactsOf(channel: Element): FeedContact[] {
  const owner = firstChild(channel, 'itunes:owner');
  const written: [FeedContact['source'], string | undefined][] = [
    ['itunes:owner', readText(firstChild(owner, 'itunes:email', 'email'))],
    ['managingEditor', readText(firstChild(channel, 'managingeditor'))],
    ['podcast:locked', attributeText(firstChild(channel, 'podcast:locked'), 'owner')],
  ];
  return written.flatMap(([source, text]) => {
    const email = emailIn(text);
    return email ? [{ source, email }] : [];
  });
}

/** Apple's cover, otherwise the artwork of Podcasting 2.0, otherwise the small image of RSS. */
function coverOf(reader: Reader, channel: Element): ParsedShow['cover'] {
  const apple = firstChild(channel, 'itunes:image');
  const artwork = childrenNamed(channel, 'podcast:image').filter((tag) =>
    /^(?:artwork.*)?$/.test(attributeText(tag, 'purpose') ?? ''),
  );
  const own = readUrl(reader, attributeText(apple, 'href') ?? attributeText(apple, 'url') ?? readText(apple), 0);
  const image = firstChild(channel, 'image');
  const others = [
    attributeText(artwork[0], 'href'),
    attributeText(firstChild(channel, 'googleplay:image'), 'href'),
    readText(firstChild(image, 'url')) || attributeText(image, 'url') || attributeText(image, 'href'),
    attributeText(firstChild(channel, 'media:thumbnail'), 'url'),
    readText(firstNonEmpty(channel, 'atom:logo', 'logo', 'atom:icon')),
  ];
  const url = own || others.map((candidate) => readUrl(reader, candidate, 0)).find((url) => url !== '') || '';
  if (!url) return null;
  if (!own) reader.log.repaired('cover_elsewhere');
  return {
    url,
    width: wholeNumber(
      artwork.find((tag) => attributeText(tag, 'href') === url),
      'width',
    ),
  };
}

function orderOf({ log }: Reader, channel: Element): ParsedShow['order'] {
  const type = readText(firstChild(channel, 'itunes:type')).toLowerCase();
  if (type && type !== 'serial' && type !== 'episodic') log.lost('type_unknown');
  return type === 'serial' ? 'serial' : 'episodic';
}

function isHidden(channel: Element): boolean {
  const forAll = childrenNamed(channel, 'podcast:block').filter((tag) => !attributeText(tag, 'id'));
  return isYes(firstChild(channel, 'itunes:block')) || forAll.some(isYes);
}

/** The medium of a show that states none. */
const DEFAULT_MEDIUM = 'podcast';

function mediumOf(channel: Element): string | undefined {
  const medium = readText(firstChild(channel, 'podcast:medium'));
  return medium && medium !== DEFAULT_MEDIUM ? medium : undefined;
}

function spotifyOf(channel: Element): ParsedShow['spotify'] {
  const access = firstChild(channel, 'spotify:access');
  const partner = attributeText(firstChild(access, 'partner'), 'id');
  if (!partner) return undefined;
  return { partner, sandbox: attributeText(firstChild(access, 'sandbox'), 'enabled') === 'true' || undefined };
}

function changedAt(channel: Element, { monthFirst }: Reader): Date | null {
  for (const name of ['lastbuilddate', 'pubdate', 'atom:updated', 'updated', 'dc:date']) {
    const read = readDate(readText(firstChild(channel, name)), monthFirst);
    if (read) return read.at;
  }
  return null;
}
