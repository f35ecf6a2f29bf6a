const MPEG = 'audio/mpeg';
/** Misspelt media types, with the right spelling. */
const MISSPELT: [RegExp, string][] = [
  [
    /^(?:(?:audio|application)\/(?:x-)?(?:mp3|mpg|mpeg-?3|mpeg|mpga)|audio\/?mpeg|mp3|audio|audio\/mpeg\d*|mpeg)$/,
    MPEG,
  ],
  [/^(?:audio\/(?:m4a|mp4a-latm|x-mp4|mpeg4|mpeg-4)|m4a)$/, 'audio/x-m4a'],
  [/^video\/(?:m4v|x-mp4|mpeg4)$/, 'video/x-m4v'],
];
const OTHER_FILE = 'application/octet-stream';
const PLAYABLE_NAMES = new Map([
  ['mp3', MPEG],
  ['m4a', 'audio/x-m4a'],
  ['m4b', 'audio/x-m4a'],
  ['aac', 'audio/aac'],
  ['ogg', 'audio/ogg'],
  ['oga', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['mp4', 'video/mp4'],
  ['m4v', 'video/x-m4v'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
]);
const PLAYABLE_TYPES = new Set(PLAYABLE_NAMES.values());
const PAGE = /^(?:html?|xhtml)$/;
const OTHER_NAMES =
  /^(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?|ico|pdf|docx?|xlsx?|pptx?|od[tps]|epub|mobi|txt|rtf|csv|srt|vtt|json|xml|rss|zip|rar|7z|gz|tgz|tar|torrent|exe|dmg|apk)$/;
/** The media of Media RSS, which some feeds also write as a type. */
const BY_MEDIUM = new Map([
  ['audio', MPEG],
  ['video', 'video/mp4'],
  ['image', OTHER_FILE],
  ['document', OTHER_FILE],
  ['executable', OTHER_FILE],
]);

export type FileClues = { url: string | undefined; type: string; medium?: string };

/**
 * The declared type, otherwise that of the file name, otherwise that of the medium, otherwise MP3. A file name of a
 * playable type beats a declared type that is not playable: some publishing tools declare MP3 files as pages or
 * pictures.
 */
export function typeOf({ url, type, medium = '' }: FileClues): string {
  if (PLAYABLE_TYPES.has(type)) return type;
  const declared = type.split(';')[0]!.trim().toLowerCase();
  const proper = MISSPELT.find(([pattern]) => pattern.test(declared))?.[1] ?? declared;
  const byName = typeOfName(url?.trim() ?? '');
  const isSpecific =
    /^(?:audio|video|image|text|application)\/[\w.+-]+$/.test(proper) &&
    !/octet-stream|x-download|force-download/.test(proper);
  const isNameBetter = byName !== null && rankOf(proper) === 0 && rankOf(byName) > 0;
  if (isSpecific && !isNameBetter) return proper;
  const bare = /^\w+(?=\/?\*?$)/.exec(declared)?.[0] ?? '';
  return byName ?? BY_MEDIUM.get(bare) ?? BY_MEDIUM.get(medium.trim().toLowerCase()) ?? MPEG;
}

/** MP3 before other audio before video before playlists; 0 for everything that a podcast app does not play. */
export function rankOf(type: string): number {
  if (type === MPEG) return 4;
  if (type.startsWith('audio/')) return 3;
  if (type.startsWith('video/')) return 2;
  return /^application\/(?:ogg|x-mpegurl|vnd\.apple\.mpegurl)$/.test(type) ? 1 : 0;
}

const EXTENSION = /\.([a-z\d]{2,7})(?=$|[?#])/i;
/** A page that sends a file often has the file's name in its query. */
const EXTENSION_IN_QUERY = /\.([a-z\d]{2,7})(?=$|[&#])/gi;
const MAX_QUERY = 2000;

/** Null if the file name does not show the type. */
function typeOfName(url: string): string | null {
  const name = EXTENSION.exec(url)?.[1]?.toLowerCase() ?? '';
  const playable = PLAYABLE_NAMES.get(name);
  if (playable) return playable;
  if (OTHER_NAMES.test(name)) return OTHER_FILE;
  const inQuery = [...(url.split('?')[1] ?? '').slice(0, MAX_QUERY).matchAll(EXTENSION_IN_QUERY)]
    .map(([, extension]) => PLAYABLE_NAMES.get(extension!.toLowerCase()))
    .find((type) => type !== undefined);
  return inQuery ?? (PAGE.test(name) ? OTHER_FILE : null);
}
