/** Name of the format in `manifest.json`. The version is raised when older imports would misread the format. */
export const FORMAT = 'altavoz-creator';
export const VERSION = 1;
export const MANIFEST = 'manifest.json';

const AUDIO_KEY = /^audio\/(\d{1,15})\/(\d{1,15}|clips)\/([\w./-]{1,200})$/;
const PICTURE_KEY = /^images\/\d{1,15}\/([0-9a-f]{64}(?:\/[\w.-]{1,50})?)$/;
const UPLOAD_KEY = /^incoming\/[\w-]{1,100}$/;

/** The new ids of the backup's rows, by table. `owner`: the account. */
export type IdMap = {
  of(table: string, old: number): number | undefined;
  creator(old: number): number | undefined;
  episode(old: number): number | undefined;
  owner: number;
};

/**
 * The key of an object in the importing installation: audio is in folders of its creator and episode, or its creator's
 * clips, pictures are in folders of accounts. Null for keys that backups do not contain: they could belong to another creator.
 */
export function newKey(key: string, ids: Omit<IdMap, 'of'>): string | null {
  const [, creator, episode, file] = AUDIO_KEY.exec(key) ?? [];
  if (file !== undefined && !file.includes('..')) {
    const owner = ids.creator(Number(creator));
    // a copied episode's audio may be in the folder of a deleted episode
    return owner === undefined ? null : `audio/${owner}/${ids.episode(Number(episode)) ?? episode}/${file}`;
  }
  const picture = PICTURE_KEY.exec(key)?.[1];
  if (picture !== undefined) return `images/${ids.owner}/${picture}`;
  return UPLOAD_KEY.test(key) ? key : null;
}

/** The value with `change` applied to all texts in it. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]));
}

/** Whether a link runs a script in some browsers. */
export const isScript = (url: string) => /^[\s\0-\x20]*(?:javascript|data|vbscript)\s*:/i.test(url);
/** Whether a value is a list of texts within a form's limits. */
export const isList = (value: unknown, { items, length }: { items: number; length: number }) =>
  Array.isArray(value) &&
  value.length <= items &&
  value.every((text) => typeof text === 'string' && text.length <= length);
export const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);
