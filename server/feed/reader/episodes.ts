import { deriveItemGuid, withoutQuery } from '../guids';
import { childrenNamed, firstChild, firstNonEmpty, relationsOf } from '../markup/elements';
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
    author: readText(firstNonEmpty(item, 'itunes:author', 'dc:creator')) || undefined,
    cover: cover || undefined,
    images: readImages(reader, item, { cover, item: number }),
    explicit: readExplicit(reader, item, number),
    hidden: isYes(firstChild(item, 'itunes:block')) || undefined,
    // at the end, for speed (decision 0119)
    ...numbersOf(reader, item, number),
    ...optionalTagsOf(reader, item, number),
  };
}

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
  const written = firstNonEmpty(item, 'guid', 'atom:id', 'id')?.text ?? '';
  const guid = readText(firstNonEmpty(item, 'guid', 'atom:id', 'id'));
  if (guid !== written) log.repaired('guid_trimmed', number);
  return guid;
}

const ABSOLUTE = /^(?:https?:\/\/|www\.)/i;

function linkOf(reader: Reader, item: Element, number: number): string {
  const alternate = [...childrenNamed(item, 'atom:link'), ...childrenNamed(item, 'link')].find(
    (one) => one.attributes.has('href') && relationsOf(one).includes('alternate'),
  );
  const original = readText(firstChild(item, 'feedburner:origlink'));
  const written = [
    // anything else would be read as a path of this feed's host
    ABSOLUTE.test(original) ? original : '',
    firstChild(item, 'link')?.text.trim(),
    attributeText(alternate, 'href'),
  ];
  for (const text of written) {
    const url = readUrl(reader, text, number);
    if (url) return url;
  }
  return '';
}

function typeOf(item: Element): ImportedEpisode['type'] {
  const type = readText(firstChild(item, 'itunes:episodetype')).toLowerCase();
  return type === 'trailer' || type === 'bonus' ? type : 'full';
}

/** The first duration above 0, because 0 stands for an unknown one. */
function durationOf({ log }: Reader, item: Element, number: number): number | null {
  const media = firstChild(item, 'media:content') ?? firstChild(firstChild(item, 'media:group'), 'media:content');
  const written = [readText(firstNonEmpty(item, 'itunes:duration', 'duration')), attributeText(media, 'duration')];
  const read = written.filter((text) => text).map((text) => readDuration(text!));
  const known = read.find((duration) => duration !== null && duration.ms > 0);
  if (!known && read.includes(null)) log.lost('duration_unreadable', number);
  if (known && (known !== read[0] || !known.regular)) log.repaired('duration_irregular', number);
  return known?.ms ?? null;
}

function dateOf({ log, monthFirst }: Reader, item: Element, number: number): Date | null {
  const written = DATES.map((name) => readText(firstChild(item, name))).filter((text) => text !== '');
  for (const [at, text] of written.entries()) {
    const read = readDate(text, monthFirst);
    if (!read) continue;
    if (at > 0 || !read.regular) log.repaired('date_irregular', number);
    if (read.zoneUnknown) log.repaired('zone_unknown', number);
    return read.at;
  }
  log.lost(written.length > 0 ? 'date_unreadable' : 'date_missing', number);
  return null;
}

function numbersOf(reader: Reader, item: Element, number: number) {
  const seasonTag = firstChild(item, 'podcast:season');
  const episodeTag = firstChild(item, 'podcast:episode');
  const firstCount = (...written: string[]) => {
    const texts = written.filter((text) => text !== '');
    const found = texts.find((text) => /^\d{1,6}$/.test(text) && Number(text) > 0);
    if (!found && texts.length > 0) reader.log.lost('number_unreadable', number);
    return found ? Number(found) : undefined;
  };
  return {
    season: firstCount(readText(firstChild(item, 'itunes:season')), readText(seasonTag)),
    seasonName: attributeText(seasonTag, 'name'),
    number: firstCount(readText(firstChild(item, 'itunes:episode')), readText(episodeTag)),
    numberLabel: attributeText(episodeTag, 'display'),
  };
}

function coverOf(reader: Reader, item: Element, number: number): string {
  const image = firstChild(item, 'itunes:image');
  const others = [firstChild(item, 'googleplay:image'), firstChild(item, 'media:thumbnail')];
  const own = attributeText(image, 'href') ?? attributeText(image, 'url') ?? readText(image);
  if (own) return readUrl(reader, own, number);
  return readUrl(
    reader,
    others.map((one) => attributeText(one, 'href') ?? attributeText(one, 'url')).find(Boolean),
    number,
  );
}

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
