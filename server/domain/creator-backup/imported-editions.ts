import type { EditionAudience } from '~/db/values/editions';
import { cleanEdition } from '../../edition/clean-edition';
import { isStoredPicture } from '../../edition/picture-path';
import { EDITION_LIMITS } from '../../limits/editions';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { editionAudience } from '../newsletter/schema';
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
  const clean = await cleanEdition(content.slice(0, EDITION_LIMITS.contentLength), isStoredPicture);
  const audience = newAudience(row.audience, ids);
  const status = row.automation_id == null ? stillStatus(row.status) : 'draft';
  return { ...row, content: clean, status, audience, delay_hours: newDelay(row) };
}

/** Steps of automations alone have one. */
function newDelay({ automation_id, delay_hours }: ImportedRow): number | null {
  if (automation_id == null) return null;
  const hours = Math.floor(Number(delay_hours));
  return Number.isFinite(hours) ? Math.min(Math.max(0, hours), AUTOMATION_LIMITS.delayHours) : 0;
}

/** Nothing of another installation is sent on its own, whatever its file says. */
const stillStatus = (status: unknown): unknown =>
  status === 'scheduled' ? 'draft' : status === 'sending' ? 'cancelled' : status;

function newAudience(value: unknown, ids: IdMap): EditionAudience {
  const { success, data } = editionAudience.safeParse(value);
  if (!success) return { group: 'everyone' };
  if (data.group !== 'segment') return data;
  return { group: 'segment', of: String(ids.of('contact_segments', Number(data.of)) ?? 0) };
}
