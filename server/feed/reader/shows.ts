import { deriveFeedGuid } from '../guids';
import { all, child } from '../markup/elements';
import type { Element } from '../markup/tree';
import { readCategories } from './categories';
import { readDate } from './dates';
import { readExplicit } from './episodes';
import type { FeedContact, ImportedFeed } from './model';
import {
  isYes,
  noteUnread,
  readBlocks,
  readFrequency,
  readFunding,
  readImages,
  readLicense,
  readLocations,
  readPersons,
  readPodroll,
  readTexts,
  whole,
} from './podcasting';
import { attr, filled, type Reader, readHtml, readText, readTitle, readUrl } from './texts';

export type ReadShow = Omit<ImportedFeed, 'episodes'>;

const DESCRIPTIONS = [
  'description',
  'atom:subtitle',
  'subtitle',
  'itunes:summary',
  'googleplay:description',
  'itunes:subtitle',
];

/** The show from the element that holds it: RSS's channel or Atom's feed. `url` is where it was read. */
export function readShow(reader: Reader, channel: Element, url: string | null): ReadShow {
  const cover = coverOf(reader, channel);
  const contacts = contactsOf(channel);
  if (contacts.length === 0) reader.notes.lost('contact_missing');
  if (!cover) reader.notes.lost('cover_missing');
  noteUnread(reader, channel, 0);
  const addresses = addressesOf(reader, channel, url);
  return {
    title: titleOf(reader, channel),
    description: readHtml(reader, filled(channel, ...DESCRIPTIONS), 0),
    ...addresses,
    language: languageOf(reader, channel),
    ...peopleOf(channel),
    copyright: readText(filled(channel, 'copyright', 'atom:rights', 'rights', 'dc:rights')) || undefined,
    cover,
    images: readImages(reader, channel, { cover: cover?.url ?? '', item: 0 }),
    categories: readCategories(channel, reader.notes),
    explicit: readExplicit(reader, channel, 0) ?? false,
    order: orderOf(reader, channel),
    complete: isYes(child(channel, 'itunes:complete')) || undefined,
    guid: readText(child(channel, 'podcast:guid')) || (addresses.self ? deriveFeedGuid(addresses.self) : ''),
    locked: isYes(child(channel, 'podcast:locked')),
    hidden: isHidden(channel) || undefined,
    ...furthersOf(reader, channel),
    changedAt: changedAt(channel, reader),
    contacts,
  };
}

function addressesOf(reader: Reader, channel: Element, url: string | null) {
  const link = child(channel, 'link')?.text.trim() || linkTo(channel, 'alternate');
  return {
    link: readUrl(reader, link, 0) || linked(reader, channel, 'alternate'),
    self: linked(reader, channel, 'self') || url || '',
    next: linked(reader, channel, 'next') || undefined,
    hub: linked(reader, channel, 'hub') || undefined,
    movedTo: readUrl(reader, readText(filled(channel, 'itunes:new-feed-url')), 0) || undefined,
  };
}

function furthersOf(reader: Reader, channel: Element) {
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
  const title = readTitle(reader, filled(channel, 'title', 'atom:title', 'itunes:title'), 0);
  if (title) return title;
  reader.notes.repaired('title_derived');
  const host = /^https?:\/\/([^/]+)/.exec(readText(child(channel, 'link')) || (reader.base ?? ''))?.[1];
  return host ?? '';
}

function linkTo(channel: Element, rel: string): string | undefined {
  const links = [...all(channel, 'atom:link'), ...all(channel, 'link')];
  const found = links.find(
    (one) => (one.attributes.get('rel') ?? 'alternate').toLowerCase() === rel && one.attributes.has('href'),
  );
  return attr(found, 'href');
}

function linked(reader: Reader, channel: Element, rel: string): string {
  return readUrl(reader, linkTo(channel, rel), 0);
}

/** `en_US`, ` ES ` and the like; '' where nothing is said. */
function languageOf({ notes }: Reader, channel: Element): string {
  const written = readText(filled(channel, 'language', 'dc:language')) || attr(channel, 'xml:lang') || '';
  const tag = written.replaceAll('_', '-').replace(/[^A-Za-z\d-]/g, '');
  const mended = /^[a-z]{2,3}$/i.test(tag) ? tag.toLowerCase() : tag;
  if (mended !== written) notes.repaired('language_mended');
  return mended;
}

function peopleOf(channel: Element) {
  const owner = child(channel, 'itunes:owner');
  const atomAuthor = readText(child(child(channel, 'atom:author', 'author'), 'atom:name', 'name'));
  const ownerName = readText(child(owner, 'itunes:name'));
  const author =
    readText(filled(channel, 'itunes:author', 'googleplay:author', 'dc:creator')) || atomAuthor || ownerName;
  const ownerEmail = emailIn(readText(child(owner, 'itunes:email')));
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

/** In the order of decisions: owner, managing editor, owner of the lock. */
function contactsOf(channel: Element): FeedContact[] {
  const owner = child(channel, 'itunes:owner');
  const written: [FeedContact['source'], string | undefined][] = [
    ['itunes:owner', readText(child(owner, 'itunes:email', 'email'))],
    ['managingEditor', readText(child(channel, 'managingeditor'))],
    ['podcast:locked', attr(child(channel, 'podcast:locked'), 'owner')],
  ];
  return written.flatMap(([source, text]) => {
    const email = emailIn(text);
    return email ? [{ source, email }] : [];
  });
}

/** Apple's cover, else the artwork of Podcasting 2.0, else RSS's small image. */
function coverOf(reader: Reader, channel: Element): ReadShow['cover'] {
  const apple = child(channel, 'itunes:image');
  const artwork = all(channel, 'podcast:image').filter((one) => /^(?:artwork.*)?$/.test(attr(one, 'purpose') ?? ''));
  const own = readUrl(reader, attr(apple, 'href') ?? attr(apple, 'url') ?? readText(apple), 0);
  const image = child(channel, 'image');
  const others = [
    attr(artwork[0], 'href'),
    attr(child(channel, 'googleplay:image'), 'href'),
    readText(child(image, 'url')) || attr(image, 'url') || attr(image, 'href'),
    attr(child(channel, 'media:thumbnail'), 'url'),
    readText(filled(channel, 'atom:logo', 'logo', 'atom:icon')),
  ];
  const url = own || others.map((one) => readUrl(reader, one, 0)).find((one) => one !== '') || '';
  if (!url) return null;
  if (!own) reader.notes.repaired('cover_elsewhere');
  return {
    url,
    width: whole(
      artwork.find((one) => attr(one, 'href') === url),
      'width',
    ),
  };
}

function orderOf({ notes }: Reader, channel: Element): ReadShow['order'] {
  const type = readText(child(channel, 'itunes:type')).toLowerCase();
  if (type && type !== 'serial' && type !== 'episodic') notes.lost('type_unknown');
  return type === 'serial' ? 'serial' : 'episodic';
}

function isHidden(channel: Element): boolean {
  const forAll = all(channel, 'podcast:block').filter((one) => !attr(one, 'id'));
  return isYes(child(channel, 'itunes:block')) || forAll.some(isYes);
}

/** What a show is that does not say. */
const USUAL_MEDIUM = 'podcast';

function mediumOf(channel: Element): string | undefined {
  const medium = readText(child(channel, 'podcast:medium'));
  return medium && medium !== USUAL_MEDIUM ? medium : undefined;
}

function spotifyOf(channel: Element): ReadShow['spotify'] {
  const access = child(channel, 'spotify:access');
  const partner = attr(child(access, 'partner'), 'id');
  if (!partner) return undefined;
  return { partner, sandbox: attr(child(access, 'sandbox'), 'enabled') === 'true' || undefined };
}

function changedAt(channel: Element, { american }: Reader): Date | null {
  for (const name of ['lastbuilddate', 'pubdate', 'atom:updated', 'updated', 'dc:date']) {
    const read = readDate(readText(child(channel, name)), american);
    if (read) return read.at;
  }
  return null;
}
