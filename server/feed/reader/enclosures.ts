import { all, child, said } from '../markup/elements';
import type { Element } from '../markup/tree';
import type { ImportedEpisode } from './model';
import { attr, type Reader, readText, readUrl } from './texts';

type Audio = ImportedEpisode['audio'];
type Candidate = { url: string | undefined; type: string; length: string; preferred: boolean; elsewhere: boolean };

const MPEG = 'audio/mpeg';
/** How MP3 is misspelt, and others that have a proper name. */
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

/** The file of an item that a podcast app would play, best first: MP3, other audio, video; null where there is none. */
export function readEnclosure(reader: Reader, item: Element, number: number): Audio | null {
  const { notes } = reader;
  const written = candidates(reader, item, number);
  const playable = written
    .filter(({ url }) => url?.trim())
    .map((candidate) => ({ candidate, type: typeOf(candidate), rank: 0 }))
    .map((one) => ({ ...one, rank: rankOf(one.type) + (one.candidate.preferred ? 0.5 : 0) }))
    .filter(({ rank }) => rank >= 1)
    .sort((one, other) => other.rank - one.rank);
  const best = playable[0];
  if (!best) return null;
  const files = new Set(playable.map(({ candidate }) => candidate.url?.trim())).size;
  if (files > 1) {
    notes.repaired('enclosure_chosen', number);
    notes.lost('enclosure_dropped', number, files - 1);
  }
  if (best.candidate.elsewhere) notes.repaired('enclosure_elsewhere', number);
  const url = originalUrl(reader, item, number) || readUrl(reader, best.candidate.url, number);
  if (!url) return null;
  return { url, bytes: bytesOf(reader, best.candidate, number), type: noteType(reader, best, number) };
}

/** Enclosures are what apps play; what stands elsewhere counts where none of them can be played. */
function candidates({ notes }: Reader, item: Element, number: number): Candidate[] {
  const own = enclosuresOf(item);
  const others = othersOf(item);
  if (!own.some((one) => one.url?.trim() && rankOf(typeOf(one)) >= 1)) return [...own, ...others, ...linkOf(item)];
  const further = others.filter((one) => one.url && !own.some(({ url }) => url === one.url)).length;
  if (further > 0) notes.lost('enclosure_dropped', number, further);
  return own;
}

/** What RSS and Atom say. */
function enclosuresOf(item: Element): Candidate[] {
  const links = [...all(item, 'atom:link'), ...all(item, 'link')].filter((one) => said(one, 'rel') === 'enclosure');
  return [
    ...all(item, 'enclosure').map((one) => ({
      ...candidate(one, one.attributes.get('url') ?? one.text, 'length'),
      elsewhere: false,
    })),
    ...links.map((one) => ({ ...candidate(one, one.attributes.get('href'), 'length'), elsewhere: false })),
  ];
}

/** What Yahoo's and Podcasting 2.0's tags say. */
function othersOf(item: Element): Candidate[] {
  const groups = all(item, 'media:group').flatMap((group) => all(group, 'media:content'));
  const media = [...all(item, 'media:content'), ...groups].map((one) => ({
    ...candidate(one, one.attributes.get('url') ?? one.text, 'filesize'),
    preferred: said(one, 'isdefault') === 'true',
  }));
  const alternates = all(item, 'podcast:alternateenclosure').map((one) => ({
    ...candidate(one, sourceOf(one), 'length'),
    preferred: said(one, 'default') === 'true',
  }));
  return [...media, ...alternates];
}

function sourceOf(alternate: Element): string | undefined {
  return all(alternate, 'podcast:source')
    .map((source) => said(source, 'uri'))
    .find((uri) => /^https?:/.test(uri));
}

/** An item that links to a file. */
function linkOf(item: Element): Candidate[] {
  const url = readText(child(item, 'link'));
  if (!/\.(?:mp3|m4a|aac|ogg|opus)(?:\?|$)/i.test(url)) return [];
  return [{ url, type: '', length: '', preferred: false, elsewhere: true }];
}

function candidate(one: Element, url: string | undefined, length: string): Candidate {
  return { url, type: said(one, 'type'), length: said(one, length), preferred: false, elsewhere: true };
}

/** Declared, else by the name of the file, else what podcasts are. */
export function typeOf({ type, url }: Pick<Candidate, 'type' | 'url'>): string {
  const plain = type.split(';')[0]!.trim().toLowerCase();
  const proper = MISSPELT.find(([pattern]) => pattern.test(plain))?.[1] ?? plain;
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

function noteType(
  { notes }: Reader,
  { type, candidate }: { type: string; candidate: Candidate },
  number: number,
): string {
  const written = candidate.type.trim();
  if (!written) notes.repaired('type_guessed', number);
  else if (written !== type) notes.repaired('type_mended', number);
  return type;
}

function bytesOf({ notes }: Reader, { length }: Candidate, number: number): number {
  const bytes = /^\d{1,15}$/.test(length.trim()) ? Number(length) : 0;
  // one byte, or a few hundred, is what feeds say that do not know
  if (bytes === 0) notes.repaired('length_unknown', number);
  return bytes;
}

/** FeedBurner counted plays by an address of its own; this is the one it stood for. */
function originalUrl(reader: Reader, item: Element, number: number): string {
  const original =
    attr(child(item, 'feedburner:origenclosurelink'), 'href') ?? readText(child(item, 'feedburner:origenclosurelink'));
  const url = original && readUrl(reader, original, number);
  if (url) reader.notes.repaired('enclosure_original', number);
  return url;
}
