import { attributeOf, childrenNamed, firstChild } from '../markup/elements';
import type { Element } from '../markup/tree';
import type { ImportedEpisode } from './model';
import { attributeText, type Reader, readText, readUrl } from './texts';

type Audio = ImportedEpisode['audio'];
type Candidate = { url: string | undefined; type: string; length: string; preferred: boolean; fromOtherTag: boolean };

const MPEG = 'audio/mpeg';
/** Misspelt media types, with the right spelling. */
const MISSPELT: [RegExp, string][] = [
  [
    /^(?:audio\/(?:x-)?(?:mp3|mpg|mpeg-?3|mpeg|mpga)|audio\/?mpeg|mp3|audio|audio\/mpeg\d*|mpeg|audio\/x-mpeg-3)$/,
    MPEG,
  ],
  [/^(?:audio\/(?:m4a|mp4a-latm|x-mp4|mpeg4|mpeg-4)|m4a)$/, 'audio/x-m4a'],
  [/^video\/(?:m4v|x-mp4|mpeg4)$/, 'video/x-m4v'],
];
const BY_EXTENSION: Record<string, string> = {
  mp3: MPEG,
  m4a: 'audio/x-m4a',
  m4b: 'audio/x-m4a',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  webm: 'video/webm',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

/** Chooses the file that a podcast app would play: MP3 before other audio before video. Null if there is none. */
export function readEnclosure(reader: Reader, item: Element, number: number): Audio | null {
  const { log } = reader;
  const playable = candidatesOf(reader, item, number)
    .filter(({ url }) => url?.trim())
    .map((candidate) => ({ candidate, type: typeOf(candidate), rank: 0 }))
    .map((file) => ({ ...file, rank: rankOf(file.type) + (file.candidate.preferred ? 0.5 : 0) }))
    .filter(({ rank }) => rank >= 1)
    .sort((a, b) => b.rank - a.rank);
  const best = playable[0];
  if (!best) return null;
  const files = new Set(playable.map(({ candidate }) => candidate.url?.trim())).size;
  if (files > 1) {
    log.repaired('enclosure_chosen', number);
    log.lost('enclosure_dropped', number, files - 1);
  }
  if (best.candidate.fromOtherTag) log.repaired('enclosure_elsewhere', number);
  const url = originalUrl(reader, item, number) || readUrl(reader, best.candidate.url, number);
  if (!url) return null;
  return { url, bytes: bytesOf(reader, best.candidate, number), type: reportType(reader, best, number) };
}

/** Apps play enclosures. Files in other tags count only if no enclosure is playable. */
function candidatesOf({ log }: Reader, item: Element, number: number): Candidate[] {
  const enclosures = enclosuresOf(item);
  const others = filesInOtherTags(item);
  if (!enclosures.some((file) => file.url?.trim() && rankOf(typeOf(file)) >= 1))
    return [...enclosures, ...others, ...linkedFileOf(item)];
  const dropped = others.filter((file) => file.url && !enclosures.some(({ url }) => url === file.url)).length;
  if (dropped > 0) log.lost('enclosure_dropped', number, dropped);
  return enclosures;
}

/** The enclosures of RSS and Atom. */
function enclosuresOf(item: Element): Candidate[] {
  const links = [...childrenNamed(item, 'atom:link'), ...childrenNamed(item, 'link')].filter(
    (element) => attributeOf(element, 'rel') === 'enclosure',
  );
  return [
    ...childrenNamed(item, 'enclosure').map((element) => ({
      ...toCandidate(element, element.attributes.get('url') ?? element.text, 'length'),
      fromOtherTag: false,
    })),
    ...links.map((element) => ({
      ...toCandidate(element, element.attributes.get('href'), 'length'),
      fromOtherTag: false,
    })),
  ];
}

/** Files in tags of Media RSS and Podcasting 2.0. */
function filesInOtherTags(item: Element): Candidate[] {
  const groups = childrenNamed(item, 'media:group').flatMap((group) => childrenNamed(group, 'media:content'));
  const media = [...childrenNamed(item, 'media:content'), ...groups].map((element) => ({
    ...toCandidate(element, element.attributes.get('url') ?? element.text, 'filesize'),
    preferred: attributeOf(element, 'isdefault') === 'true',
  }));
  const alternates = childrenNamed(item, 'podcast:alternateenclosure').map((element) => ({
    ...toCandidate(element, sourceOf(element), 'length'),
    preferred: attributeOf(element, 'default') === 'true',
  }));
  return [...media, ...alternates];
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
  return [{ url, type: '', length: '', preferred: false, fromOtherTag: true }];
}

function toCandidate(element: Element, url: string | undefined, length: string): Candidate {
  return {
    url,
    type: attributeOf(element, 'type'),
    length: attributeOf(element, length),
    preferred: false,
    fromOtherTag: true,
  };
}

/** The declared type, else the type of the file extension, else MP3. */
export function typeOf({ type, url }: Pick<Candidate, 'type' | 'url'>): string {
  const declared = type.split(';')[0]!.trim().toLowerCase();
  const proper = MISSPELT.find(([pattern]) => pattern.test(declared))?.[1] ?? declared;
  const extension = /\.([a-z\d]{2,4})(?:[?#]|$)/i.exec(url?.trim() ?? '')?.[1]?.toLowerCase();
  const byName = extension && BY_EXTENSION[extension];
  const specific = /^(?:audio|video|image|text|application)\/[\w.+-]+$/.test(proper);
  if (specific && !/octet-stream|x-download|force-download/.test(proper)) return proper;
  return byName || MPEG;
}

function rankOf(type: string): number {
  if (type === MPEG) return 4;
  if (type.startsWith('audio/')) return 3;
  if (type.startsWith('video/')) return 2;
  return /^application\/(?:ogg|x-mpegurl|vnd\.apple\.mpegurl)$/.test(type) ? 1 : 0;
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
  const bytes = /^\d{1,15}$/.test(length.trim()) ? Number(length) : 0;
  if (bytes === 0) log.repaired('length_unknown', number);
  return bytes;
}

/** FeedBurner replaced enclosure URLs with its own to count plays; this tag has the original. */
function originalUrl(reader: Reader, item: Element, number: number): string {
  const original =
    attributeText(firstChild(item, 'feedburner:origenclosurelink'), 'href') ??
    readText(firstChild(item, 'feedburner:origenclosurelink'));
  const url = original && readUrl(reader, original, number);
  if (url) reader.log.repaired('enclosure_original', number);
  return url;
}
