import { DAYS } from '~/server/time';

/** What was typed into a form and not sent yet. Text only: files are kept elsewhere. */
export type Draft = { values: Record<string, string>; savedAt: number };

const PREFIX = 'draft:';
const KEPT = DAYS(30);

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** One draft for each user and form: another user of the same browser never sees it. */
export function draftKey(userId: number, form: string): string {
  return `${PREFIX}${userId}:${form}`;
}

/** A draft that is older than 30 days, or unreadable, is none. */
export function readDraft(store: Store, key: string, now: number): Draft | null {
  try {
    const draft = JSON.parse(store.getItem(key) ?? 'null') as Draft | null;
    return draft && typeof draft.values === 'object' && now - draft.savedAt < KEPT ? draft : null;
  } catch {
    return null;
  }
}

/** Keeps what differs from what the form began with; nothing differs: nothing is kept. Answers whether it could be. */
export function writeDraft(
  store: Store,
  key: string,
  values: Draft['values'],
  initial: Draft['values'],
  now: number,
): boolean {
  const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== (initial[name] ?? '')));
  try {
    if (Object.keys(changed).length === 0) store.removeItem(key);
    else store.setItem(key, JSON.stringify({ values: changed, savedAt: now } satisfies Draft));
    return true;
  } catch {
    // no room, or storage switched off: the form itself still holds the text
    return false;
  }
}

export function removeDraft(store: Store, key: string): void {
  try {
    store.removeItem(key);
  } catch {
    // storage switched off: there is nothing to remove
  }
}

/** Drafts that nobody came back to make room for new ones. */
export function removeOldDrafts(store: Store, now: number): void {
  const keys = Array.from({ length: store.length }, (_, i) => store.key(i)).filter((key) => key?.startsWith(PREFIX));
  for (const key of keys) if (key && !readDraft(store, key, now)) removeDraft(store, key);
}
