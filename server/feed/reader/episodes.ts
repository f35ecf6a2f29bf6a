import { deriveItemGuid, withoutQuery } from '../guids';
import { childrenNamed, firstChild, firstNonEmpty, hasChildNamed, relationsOf } from '../markup/elements';
import type { Element } from '../markup/tree';
import { readDate } from './dates';
import { readDuration } from './durations';
import { readEnclosure } from './enclosures';
import type { ImportedEpisode } from './model';
import { readNotes } from './notes';
import {
  isYes,
  readChapters,
  readFunding,
  readImages,
  readLicense,
  readLocations,
  readMarks,
  readPersons,
  readSoundbites,
  readTexts,
  readTranscripts,
  reportUnreadTags,
} from './podcasting';
import { attributeText, boundedList, type Reader, readText, readTitle, readUrl } from './texts';

/** `explicit` is null if the item does not state it; the show's value then applies. `guid` is '' if missing. */
export type ParsedItem = Omit<ImportedEpisode, 'explicit'> & { explicit: boolean | null };

const DATES = [
  'pubdate',
  'atom:published',
  'published',
  'dc:date',
  'date',
  'atom:updated',
  'updated',
  'atom:issued',
  'issued',
];
export const NOTES = [
  'content:encoded',
  'atom:content',
  'content',
  'description',
  'atom:summary',
  'summary',
  'itunes:summary',
  'googleplay:description',
  'itunes:subtitle',
];
const MAX_DERIVED_TITLE = 80;

/** Converts an item to an episode; null if it has no file that an app would play. `number` counts items from 1. */
export function readItem(reader: Reader, item: Element, number: number): ParsedItem | null {
  const audio = readEnclosure(reader, item, number);
  if (!audio) {
    reader.log.lost('item_without_audio', number);
    return null;
  }
  reportUnreadTags(reader, item, number);
  const description = readNotes(reader, item, { names: NOTES, item: number });
  const cover = coverOf(reader, item, number);
  return {
    guid: guidOf(reader, item, number),
    title: titleOf(reader, item, { description, url: audio.url, number }),
    description,
    link: linkOf(reader, item, number),
    type: typeOf(item),
    audio,
    durationMs: durationOf(reader, item, number),
    publishedAt: dateOf(reader, item, number),
    author: authorOf(item),
    cover: cover || undefined,
    images: readImages(reader, item, { cover, item: number }),
    explicit: readExplicit(reader, item, number),
    hidden: isHidden(item),
    // at the end, for speed (decision 0119)
    ...numbersOf(reader, item, number),
    ...(hasChildNamed(item, OPTIONAL_TAGS) ? optionalTagsOf(reader, item, number) : WITHOUT_OPTIONAL_TAGS),
  };
}

const OPTIONAL_TAGS = new Set([
  'podcast:license',
  'podcast:person',
  'podcast:funding',
  'podcast:location',
  'podcast:txt',
  'podcast:transcript',
  'podcast:chapters',
  'psc:chapters',
  'podcast:soundbite',
  'spotify:access',
]);
/** Most items have none of these tags. */
const WITHOUT_OPTIONAL_TAGS: Record<keyof ReturnType<typeof optionalTagsOf>, undefined> = {
  license: undefined,
  persons: undefined,
  funding: undefined,
  locations: undefined,
  texts: undefined,
  transcripts: undefined,
  chapters: undefined,
  marks: undefined,
  soundbites: undefined,
  entitlements: undefined,
};

function optionalTagsOf(reader: Reader, item: Element, number: number) {
  return {
    license: readLicense(reader, item, number),
    persons: readPersons(reader, item, number),
    funding: readFunding(reader, item, number),
    locations: readLocations(reader, item, number),
    texts: readTexts(reader, item, number),
    transcripts: readTranscripts(reader, item, number),
    chapters: readChapters(reader, item, number),
    marks: readMarks(reader, item, number),
    soundbites: readSoundbites(reader, item, number),
    entitlements: boundedList(
      reader,
      childrenNamed(firstChild(item, 'spotify:access'), 'entitlement').map((one) => attributeText(one, 'name') ?? null),
      number,
    ),
  };
}

type TitleFallbacks = { description: string; url: string; number: number };

function titleOf(reader: Reader, item: Element, { description, url, number }: TitleFallbacks): string {
  const title = readTitle(reader, firstNonEmpty(item, 'title', 'atom:title', 'itunes:title'), number);
  if (title) return title;
  reader.log.repaired('title_derived', number);
  const words = description
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words)
    return words.length <= MAX_DERIVED_TITLE ? words : `${words.slice(0, MAX_DERIVED_TITLE).replace(/\s\S*$/, '')}…`;
  const file = withoutQuery(url).split('/').at(-1) ?? '';
  return (
    file
      .replace(/\.[a-z\d]{2,4}$/i, '')
      .replace(/[-_+]+|%20/g, ' ')
      .trim() || `#${number}`
  );
}

function guidOf({ log }: Reader, item: Element, number: number): string {
  const written = firstNonEmpty(item, 'guid', 'atom:id', 'id');
  const guid = readText(written);
  if (written && guid !== written.text) log.repaired('guid_trimmed', number);
  return guid;
}

const ABSOLUTE = /^(?:https?:\/\/|www\.)/i;

function linkOf(reader: Reader, item: Element, number: number): string {
  const original = readText(firstChild(item, 'feedburner:origlink'));
  return (
    // anything else would be read as a path of this feed's host
    (ABSOLUTE.test(original) && readUrl(reader, original, number)) ||
    readUrl(reader, firstChild(item, 'link')?.text.trim(), number) ||
    readUrl(reader, attributeText(alternateOf(item), 'href'), number)
  );
}

function alternateOf(item: Element): Element | undefined {
  return childrenNamed(item, 'atom:link', 'link').find(
    (one) => one.attributes.has('href') && relationsOf(one).includes('alternate'),
  );
}

const authorOf = (item: Element) => readText(firstNonEmpty(item, 'itunes:author', 'dc:creator')) || undefined;

const isHidden = (item: Element) => isYes(firstChild(item, 'itunes:block')) || undefined;

function typeOf(item: Element): ImportedEpisode['type'] {
  const type = readText(firstChild(item, 'itunes:episodetype')).toLowerCase();
  return type === 'trailer' || type === 'bonus' ? type : 'full';
}

/** The first duration above 0, because 0 stands for an unknown one. */
function durationOf({ log }: Reader, item: Element, number: number): number | null {
  const stated = readText(firstNonEmpty(item, 'itunes:duration', 'duration'));
  const own = stated ? readDuration(stated) : undefined;
  if (own && own.ms > 0) {
    if (!own.regular) log.repaired('duration_irregular', number);
    return own.ms;
  }
  const media = firstChild(item, 'media:content') ?? firstChild(firstChild(item, 'media:group'), 'media:content');
  const text = attributeText(media, 'duration');
  const other = text ? readDuration(text) : undefined;
  if (other && other.ms > 0) {
    if (own !== undefined || !other.regular) log.repaired('duration_irregular', number);
    return other.ms;
  }
  if (own === null || other === null) log.lost('duration_unreadable', number);
  return null;
}

function dateOf({ log, monthFirst }: Reader, item: Element, number: number): Date | null {
  let unreadable = 0;
  for (const name of DATES) {
    const text = readText(firstChild(item, name));
    const read = text && readDate(text, monthFirst);
    if (read === null) unreadable += 1;
    if (!read) continue;
    if (unreadable > 0 || !read.regular) log.repaired('date_irregular', number);
    if (read.zoneUnknown) log.repaired('zone_unknown', number);
    return read.at;
  }
  log.lost(unreadable > 0 ? 'date_unreadable' : 'date_missing', number);
  return null;
}

function numbersOf(reader: Reader, item: Element, number: number) {
  const seasonTag = firstChild(item, 'podcast:season');
  const episodeTag = firstChild(item, 'podcast:episode');
  return {
    season: countOf(reader, [firstChild(item, 'itunes:season'), seasonTag], number),
    seasonName: attributeText(seasonTag, 'name'),
    number: countOf(reader, [firstChild(item, 'itunes:episode'), episodeTag], number),
    numberLabel: attributeText(episodeTag, 'display'),
  };
}

/** The number in Apple's tag, otherwise in that of Podcasting 2.0. */
function countOf(
  { log }: Reader,
  tags: [apple: Element | undefined, other: Element | undefined],
  item: number,
): number | undefined {
  const apple = readText(tags[0]);
  const other = readText(tags[1]);
  const found = countIn(apple) ?? countIn(other);
  if (!found && (apple || other)) log.lost('number_unreadable', item);
  return found;
}

const countIn = (text: string) => (/^\d{1,6}$/.test(text) && Number(text)) || undefined;

function coverOf(reader: Reader, item: Element, number: number): string {
  const image = firstChild(item, 'itunes:image');
  const own = image && (addressIn(image) ?? readText(image));
  return readUrl(
    reader,
    own || (addressIn(firstChild(item, 'googleplay:image')) ?? addressIn(firstChild(item, 'media:thumbnail'))),
    number,
  );
}

const addressIn = (image: Element | undefined) => attributeText(image, 'href') ?? attributeText(image, 'url');

const YES = /^(?:yes|true|explicit|1|y|on|s[ií]|oui|ja)$/i;
const NO = /^(?:no|false|clean|0|n|off|non|nein|none)$/i;

/** Apple uses true and false; older feeds use yes, no, clean or explicit. Null if unknown. */
export function readExplicit({ log }: Reader, parent: Element, item: number): boolean | null {
  const text = readText(firstNonEmpty(parent, 'itunes:explicit', 'googleplay:explicit'));
  if (!text) return null;
  if (text !== 'true' && text !== 'false') log.repaired('explicit_irregular', item);
  return YES.test(text) ? true : NO.test(text) ? false : null;
}

/**
 * Gives each episode a unique GUID: a missing or duplicate one is derived from the file. Two items with the same GUID
 * and file are one episode.
 */
export function assignGuids({ log }: Reader, items: ParsedItem[]): ParsedItem[] {
  const byGuid = new Map<string, ParsedItem>();
  const derived = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const known = byGuid.get(item.guid || deriveItemGuid(item.audio.url));
    if (known && isSameEpisode(known, item)) {
      log.lost('item_duplicate', at + 1);
      continue;
    }
    if (item.guid && known) log.repaired('guid_duplicate', at + 1);
    if (!item.guid) log.repaired('guid_derived', at + 1);
    const guid = item.guid && !known ? item.guid : unusedGuid(item, byGuid, derived);
    // spreads only, for speed (decision 0119)
    byGuid.set(guid, { ...item, ...{ guid } });
  }
  return [...byGuid.values()];
}

function isSameEpisode(one: ParsedItem, other: ParsedItem): boolean {
  return one.audio.url === other.audio.url && (other.guid !== '' || one.title === other.title);
}

function unusedGuid({ audio }: ParsedItem, taken: Map<string, unknown>, derived: Map<string, number>): string {
  const file = withoutQuery(audio.url);
  let count = derived.get(file) ?? 0;
  let guid = deriveItemGuid(count === 0 ? file : `${file} ${count}`);
  while (taken.has(guid)) guid = deriveItemGuid(`${file} ${++count}`);
  derived.set(file, count + 1);
  return guid;
}
