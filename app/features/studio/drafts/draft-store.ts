import { DAYS } from '~/server/base/time';

/** The user's unsubmitted input. Text only: features/upload stores files. */
export type Draft = { values: Record<string, string>; savedAt: number };

const PREFIX = 'draft:';
const LIFETIME = DAYS(30);

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The key includes the user, so that another user of the same browser never sees the draft. */
export function draftKey(userId: number, form: string): string {
  return `${PREFIX}${userId}:${form}`;
}

/** Drafts older than 30 days or unreadable are ignored. */
export function readDraft(store: Store, key: string, now: number): Draft | null {
  try {
    const draft = JSON.parse(store.getItem(key) ?? 'null') as Draft | null;
    return draft && typeof draft.values === 'object' && now - draft.savedAt < LIFETIME ? draft : null;
  } catch {
    return null;
  }
}

/**
 * Stores the values that differ from the form's initial values; removes the draft when none differ.
 * @returns whether the browser could store it
 */
export function writeDraft(
  store: Store,
  key: string,
  values: Draft['values'],
  initial: Draft['values'],
  now: number,
): boolean {
  const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== (initial[name] ?? '')));
  try {
    if (Object.keys(changes).length === 0) store.removeItem(key);
    else store.setItem(key, JSON.stringify({ values: changes, savedAt: now } satisfies Draft));
    return true;
  } catch {
    // storage is full or disabled; the form itself still has the text
    return false;
  }
}

export function removeDraft(store: Store, key: string): void {
  try {
    store.removeItem(key);
  } catch {
    // storage is disabled, so no draft exists
  }
}

/** Removes expired drafts to make room for new ones. */
export function removeOldDrafts(store: Store, now: number): void {
  const keys = Array.from({ length: store.length }, (_, i) => store.key(i)).filter((key) => key?.startsWith(PREFIX));
  for (const key of keys) if (key && !readDraft(store, key, now)) removeDraft(store, key);
}
