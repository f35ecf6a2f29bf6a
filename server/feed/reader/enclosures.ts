import { attributeOf, childrenNamed, firstChild, hasChildNamed, relationsOf } from '../markup/elements';
import type { Element } from '../markup/tree';
import { rankOf, typeOf } from './media-types';
import type { ImportedEpisode } from './model';
import { attributeText, type Reader, readText, readUrl } from './texts';

type Audio = ImportedEpisode['audio'];
type Candidate = {
  url: string | undefined;
  type: string;
  medium: string;
  length: string;
  preferred: boolean;
  fromOtherTag: boolean;
};

type Playable = { candidate: Candidate; type: string; rank: number };

/** Chooses the file that a podcast app would play: MP3 before other audio before video. Null if there is none. */
export function readEnclosure(reader: Reader, item: Element, number: number): Audio | null {
  const { log } = reader;
  const playable = playableFiles(reader, item, number).sort((a, b) => b.rank - a.rank);
  const original = originalUrl(reader, item, number);
  for (const file of playable) {
    const url = original || readUrl(reader, file.candidate.url, number);
    if (!url) continue;
    const files = playable.length === 1 ? 1 : new Set(playable.map(({ candidate }) => candidate.url?.trim())).size;
    if (files > 1) {
      log.repaired('enclosure_chosen', number);
      log.lost('enclosure_dropped', number, files - 1);
    }
    if (file.candidate.fromOtherTag) log.repaired('enclosure_elsewhere', number);
    return { url, bytes: bytesOf(reader, file.candidate, number), type: reportType(reader, file, number) };
  }
  return null;
}

/** Apps play enclosures. Files in other tags count only if no enclosure is playable. */
function playableFiles({ log }: Reader, item: Element, number: number): Playable[] {
  const enclosures = enclosuresOf(item);
  const others = hasChildNamed(item, OTHER_TAGS) ? filesInOtherTags(item) : [];
  const playable = onlyPlayable(enclosures);
  if (playable.length === 0) return onlyPlayable([...others, ...linkedFileOf(item)]);
  const dropped = others.filter((file) => file.url && !enclosures.some(({ url }) => url === file.url)).length;
  if (dropped > 0) log.lost('enclosure_dropped', number, dropped);
  return playable;
}

function onlyPlayable(candidates: Candidate[]): Playable[] {
  const found: Playable[] = [];
  for (const candidate of candidates) {
    if (!candidate.url?.trim()) continue;
    const type = typeOf(candidate);
    const rank = rankOf(type) + (candidate.preferred ? 0.5 : 0);
    if (rank >= 1) found.push({ candidate, type, rank });
  }
  return found;
}

/** The enclosures of RSS 2.0, RSS 1.0 and Atom. */
function enclosuresOf(item: Element): Candidate[] {
  return childrenNamed(item, 'enclosure')
    .map(fromEnclosure)
    .concat(
      childrenNamed(item, 'enc:enclosure').map(fromRdfEnclosure),
      childrenNamed(item, 'atom:link', 'link').filter(isEnclosureLink).map(fromLink),
    );
}

const fromEnclosure = (element: Element) => toCandidate(element, element.attributes.get('url') ?? element.text, OWN);
const fromRdfEnclosure = (element: Element) =>
  toCandidate(element, element.attributes.get('rdf:resource') ?? element.attributes.get('enc:url'), RDF);
const isEnclosureLink = (element: Element) => relationsOf(element).includes('enclosure');
const fromLink = (element: Element) => toCandidate(element, element.attributes.get('href'), OWN);

const OTHER_TAGS = new Set(['atom:content', 'content', 'media:group', 'media:content', 'podcast:alternateenclosure']);

/**
 * Files in tags of Media RSS and Podcasting 2.0, and the content of an Atom entry that is elsewhere (RFC 4287
 * §4.1.3.2).
 */
function filesInOtherTags(item: Element): Candidate[] {
  const contents = childrenNamed(item, 'atom:content', 'content').map((element) =>
    toCandidate(element, element.attributes.get('src'), OTHER),
  );
  const groups = childrenNamed(item, 'media:group').flatMap((group) => childrenNamed(group, 'media:content'));
  const media = [...childrenNamed(item, 'media:content'), ...groups].map((element) => ({
    ...toCandidate(element, element.attributes.get('url') ?? element.text, MEDIA),
    preferred: attributeOf(element, 'isdefault') === 'true',
  }));
  const alternates = childrenNamed(item, 'podcast:alternateenclosure').map((element) => ({
    ...toCandidate(element, sourceOf(element), OTHER),
    preferred: attributeOf(element, 'default') === 'true',
  }));
  return [...media, ...alternates, ...contents];
}

function sourceOf(alternate: Element): string | undefined {
  return childrenNamed(alternate, 'podcast:source')
    .map((source) => attributeOf(source, 'uri'))
    .find((uri) => /^https?:/.test(uri));
}

/** The item's link, if it points to an audio file. */
function linkedFileOf(item: Element): Candidate[] {
  const url = readText(firstChild(item, 'link'));
  if (!/\.(?:mp3|m4a|aac|ogg|opus)(?:\?|$)/i.test(url)) return [];
  return [{ url, type: '', medium: '', length: '', preferred: false, fromOtherTag: true }];
}

/** The attributes with the type and the size of a file, in enclosures and in other tags. */
const OWN = { type: 'type', length: 'length', fromOtherTag: false };
const RDF = { type: 'enc:type', length: 'enc:length', fromOtherTag: false };
const OTHER = { type: 'type', length: 'length', fromOtherTag: true };
const MEDIA = { type: 'type', length: 'filesize', fromOtherTag: true };

function toCandidate(element: Element, url: string | undefined, tag: typeof OWN): Candidate {
  return {
    url,
    type: attributeOf(element, tag.type),
    medium: attributeOf(element, 'medium'),
    length: attributeOf(element, tag.length),
    preferred: false,
    fromOtherTag: tag.fromOtherTag,
  };
}

function reportType(
  { log }: Reader,
  { type, candidate }: { type: string; candidate: Candidate },
  number: number,
): string {
  const written = candidate.type.trim();
  if (!written) log.repaired('type_guessed', number);
  else if (written !== type) log.repaired('type_repaired', number);
  return type;
}

function bytesOf({ log }: Reader, { length }: Candidate, number: number): number {
  const bytes = readLength(length);
  if (bytes === 0) log.repaired('length_unknown', number);
  else if (!/^\d+$/.test(length)) log.repaired('length_irregular', number);
  return bytes;
}

const MAX_DIGITS = 15;

/** A number of bytes, also with separators between thousands; 0 if unknown. */
export function readLength(text: string): number {
  const written = text.trim();
  const digits = /^\d{1,3}([,.'’_\s])\d{3}(?:\1\d{3})*$/.test(written) ? written.replace(/\D/g, '') : written;
  return /^\d+$/.test(digits) && digits.length <= MAX_DIGITS ? Number(digits) : 0;
}

/** FeedBurner replaced enclosure URLs with its own to count plays; this tag has the original. */
function originalUrl(reader: Reader, item: Element, number: number): string {
  const tag = firstChild(item, 'feedburner:origenclosurelink');
  if (!tag) return '';
  const original = attributeText(tag, 'href') ?? readText(tag);
  // anything else would be read as a path of this feed's host
  const url = /^https?:\/\//i.test(original) && readUrl(reader, original, number);
  if (url) reader.log.repaired('enclosure_original', number);
  return url || '';
}
