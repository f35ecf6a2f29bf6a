import { cleanEdition } from '../../edition/clean-edition';
import { isStoredPicture } from '../../edition/picture-path';
import { type IdMap, newKey } from './rules';

const PICTURE = /\/media\/(images\/\d{1,15}\/[0-9a-f]{64}\/[\w.-]{1,50})/g;
const EPISODE = /data-episode="(\d{1,15})"/g;

type ImportedRow = Record<string, unknown>;

/**
 * An edition of another installation: its content is cleaned like that of a form, its pictures and cards get their new
 * places, and its segment its new id. A segment that is not there has no contacts.
 */
export async function newEdition(row: ImportedRow, ids: IdMap): Promise<ImportedRow> {
  const content = String(row.content ?? '')
    .replace(PICTURE, (_, key: string) => `/media/${newKey(key, ids)}`)
    .replace(EPISODE, (_, old: string) => `data-episode="${ids.episode(Number(old)) ?? 0}"`);
  return { ...row, content: await cleanEdition(content, isStoredPicture), audience: newAudience(row.audience, ids) };
}

function newAudience(value: unknown, ids: IdMap): unknown {
  const { group, of } = (value ?? { group: 'everyone' }) as { group?: unknown; of?: unknown };
  if (group !== 'segment') return value;
  return { group, of: String(ids.of('contact_segments', Number(of)) ?? 0) };
}
