import { deriveItemGuid, withoutQuery } from '../guids';
import { all, child } from '../markup/elements';
import type { Element } from '../markup/tree';
import { readDate } from './dates';
import { readDuration } from './durations';
import { readEnclosure } from './enclosures';
import type { ImportedEpisode } from './model';
import {
  isYes,
  noteUnread,
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
} from './podcasting';
import { attr, filled, listed, type Reader, readHtml, readText, readTitle, readUrl } from './texts';

/** `explicit` null: not said, so that the show's holds. `guid` '': none. */
export type ReadItem = Omit<ImportedEpisode, 'explicit'> & { explicit: boolean | null };

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
const NOTES = ['content:encoded', 'atom:content', 'content'];
const SUMMARIES = [
  'description',
  'atom:summary',
  'summary',
  'itunes:summary',
  'googleplay:description',
  'itunes:subtitle',
];
const DERIVED_TITLE = 80;

/** An item as an episode; null where it has no audio that an app would play. `number` counts items from 1. */
export function readItem(reader: Reader, item: Element, number: number): ReadItem | null {
  const audio = readEnclosure(reader, item, number);
  if (!audio) {
    reader.notes.lost('item_without_audio', number);
    return null;
  }
  noteUnread(reader, item, number);
  const description = notesOf(reader, item, number);
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
    author: readText(filled(item, 'itunes:author', 'dc:creator')) || undefined,
    cover: cover || undefined,
    images: readImages(reader, item, { cover, item: number }),
    ...numbersOf(reader, item, number),
    explicit: readExplicit(reader, item, number),
    hidden: isYes(child(item, 'itunes:block')) || undefined,
    ...furthersOf(reader, item, number),
  };
}

function furthersOf(reader: Reader, item: Element, number: number) {
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
    entitlements: listed(
      reader,
      all(child(item, 'spotify:access'), 'entitlement').map((one) => attr(one, 'name') ?? null),
      number,
    ),
  };
}

/** The notes in full, unless what calls itself a summary is longer. */
function notesOf(reader: Reader, item: Element, number: number): string {
  const notes = readHtml(reader, filled(item, ...NOTES), number);
  const summary = filled(item, ...SUMMARIES);
  if (notes && (!summary || summary.text.length <= notes.length)) return notes;
  return readHtml(reader, summary, number) || notes;
}

type Known = { description: string; url: string; number: number };

function titleOf(reader: Reader, item: Element, { description, url, number }: Known): string {
  const title = readTitle(reader, filled(item, 'title', 'atom:title', 'itunes:title'), number);
  if (title) return title;
  reader.notes.repaired('title_derived', number);
  const words = description
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words) return words.length <= DERIVED_TITLE ? words : `${words.slice(0, DERIVED_TITLE).replace(/\s\S*$/, '')}…`;
  const file = withoutQuery(url).split('/').at(-1) ?? '';
  return (
    file
      .replace(/\.[a-z\d]{2,4}$/i, '')
      .replace(/[-_+]+|%20/g, ' ')
      .trim() || `#${number}`
  );
}

function guidOf({ notes }: Reader, item: Element, number: number): string {
  const written = filled(item, 'guid', 'atom:id', 'id')?.text ?? '';
  const guid = readText(filled(item, 'guid', 'atom:id', 'id'));
  if (guid !== written) notes.repaired('guid_trimmed', number);
  return guid;
}

function linkOf(reader: Reader, item: Element, number: number): string {
  const original = readText(child(item, 'feedburner:origlink'));
  if (original) return readUrl(reader, original, number);
  const atom = all(item, 'atom:link')
    .concat(all(item, 'link'))
    .find((one) => /^(?:alternate)?$/.test(one.attributes.get('rel') ?? '') && one.attributes.has('href'));
  return readUrl(reader, child(item, 'link')?.text.trim() || attr(atom, 'href'), number);
}

function typeOf(item: Element): ImportedEpisode['type'] {
  const type = readText(child(item, 'itunes:episodetype')).toLowerCase();
  return type === 'trailer' || type === 'bonus' ? type : 'full';
}

function durationOf({ notes }: Reader, item: Element, number: number): number | null {
  const text = readText(filled(item, 'itunes:duration', 'duration'));
  const onMedia = attr(child(item, 'media:content') ?? child(child(item, 'media:group'), 'media:content'), 'duration');
  if (!text && !onMedia) return null;
  const read = readDuration(text || onMedia!);
  if (!read) notes.lost('duration_unreadable', number);
  else if (!read.regular) notes.repaired('duration_irregular', number);
  return read?.ms ?? null;
}

function dateOf({ notes, american }: Reader, item: Element, number: number): Date | null {
  const written = DATES.map((name) => readText(child(item, name))).filter((text) => text !== '');
  for (const [at, text] of written.entries()) {
    const read = readDate(text, american);
    if (!read) continue;
    if (at > 0 || !read.regular) notes.repaired('date_irregular', number);
    return read.at;
  }
  notes.lost(written.length > 0 ? 'date_unreadable' : 'date_missing', number);
  return null;
}

function numbersOf(reader: Reader, item: Element, number: number) {
  const seasonOwn = child(item, 'podcast:season');
  const numberOwn = child(item, 'podcast:episode');
  const count = (...written: string[]) => {
    const texts = written.filter((text) => text !== '');
    const found = texts.find((text) => /^\d{1,6}$/.test(text) && Number(text) > 0);
    if (!found && texts.length > 0) reader.notes.lost('number_unreadable', number);
    return found ? Number(found) : undefined;
  };
  return {
    season: count(readText(child(item, 'itunes:season')), readText(seasonOwn)),
    seasonName: attr(seasonOwn, 'name'),
    number: count(readText(child(item, 'itunes:episode')), readText(numberOwn)),
    numberLabel: attr(numberOwn, 'display'),
  };
}

function coverOf(reader: Reader, item: Element, number: number): string {
  const image = child(item, 'itunes:image');
  const others = [child(item, 'googleplay:image'), child(item, 'media:thumbnail')];
  const own = attr(image, 'href') ?? attr(image, 'url') ?? readText(image);
  if (own) return readUrl(reader, own, number);
  return readUrl(reader, others.map((one) => attr(one, 'href') ?? attr(one, 'url')).find(Boolean), number);
}

const YES = /^(?:yes|true|explicit|1|y|on|s[ií]|oui|ja)$/i;
const NO = /^(?:no|false|clean|0|n|off|non|nein|none)$/i;

/** Apple says true and false; others said yes, no, clean, explicit and the like. Null: nothing that can be read. */
export function readExplicit({ notes }: Reader, parent: Element, item: number): boolean | null {
  const text = readText(filled(parent, 'itunes:explicit', 'googleplay:explicit'));
  if (!text) return null;
  if (text !== 'true' && text !== 'false') notes.repaired('explicit_irregular', item);
  return YES.test(text) ? true : NO.test(text) ? false : null;
}

/**
 * Gives each episode the one guid by which it is known: a missing one is derived from its file, the second of a kind too.
 * An item that stands there twice with the same file is one.
 */
export function identify({ notes }: Reader, items: ReadItem[]): ReadItem[] {
  const byGuid = new Map<string, ReadItem>();
  const derived = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const known = byGuid.get(item.guid || deriveItemGuid(item.audio.url));
    if (known && isSame(known, item)) {
      notes.lost('item_repeated', at + 1);
      continue;
    }
    if (item.guid && known) notes.repaired('guid_repeated', at + 1);
    if (!item.guid) notes.repaired('guid_derived', at + 1);
    const guid = item.guid && !known ? item.guid : unusedGuid(item, byGuid, derived);
    byGuid.set(guid, { ...item, guid });
  }
  return [...byGuid.values()];
}

function isSame(one: ReadItem, other: ReadItem): boolean {
  return one.audio.url === other.audio.url && (other.guid !== '' || one.title === other.title);
}

function unusedGuid({ audio }: ReadItem, taken: Map<string, unknown>, derived: Map<string, number>): string {
  const file = withoutQuery(audio.url);
  let count = derived.get(file) ?? 0;
  let guid = deriveItemGuid(count === 0 ? file : `${file} ${count}`);
  while (taken.has(guid)) guid = deriveItemGuid(`${file} ${++count}`);
  derived.set(file, count + 1);
  return guid;
}
