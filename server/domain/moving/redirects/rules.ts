import { later } from '../../../base/time';
import { REDIRECT_LIMITS } from '../../../limits/moving';

/** Compared facts of a show's feed here and at its new host. `guids`: of the newest episodes. */
export type ComparedFeed = { title: string; guid: string; guids: readonly string[] };
export type FoundFeed = ComparedFeed & {
  /** The URL after all redirects. */
  url: string;
  /** The target of permanent redirects, or the new address that the feed states. */
  movedTo: string | null;
  newFeedUrl: string | null;
};

/** Problems of a target feed. They do not prevent the redirect. */
export type RedirectWarning =
  | { kind: 'title_differs'; title: string }
  | { kind: 'guids_differ' }
  | { kind: 'episodes_missing'; count: number; total: number }
  | { kind: 'show_guid_differs' }
  | { kind: 'moves_on'; url: string }
  | { kind: 'not_secure' };

/** The most severe first: without the same GUIDs, every app downloads every episode again. */
export function warningsOf(own: ComparedFeed, found: FoundFeed): RedirectWarning[] {
  const theirs = new Set(found.guids);
  const missing = own.guids.filter((guid) => !theirs.has(guid)).length;
  const warnings: RedirectWarning[] = [];
  if (!isSameTitle(own.title, found.title)) warnings.push({ kind: 'title_differs', title: found.title });
  if (missing > 0 && missing === own.guids.length) warnings.push({ kind: 'guids_differ' });
  else if (missing > 0) warnings.push({ kind: 'episodes_missing', count: missing, total: own.guids.length });
  if (found.guid !== '' && found.guid.toLowerCase() !== own.guid.toLowerCase())
    warnings.push({ kind: 'show_guid_differs' });
  const further = found.newFeedUrl ?? found.movedTo;
  if (further !== null && further !== found.url) warnings.push({ kind: 'moves_on', url: further });
  if (!found.url.startsWith('https:')) warnings.push({ kind: 'not_secure' });
  return warnings;
}

function isSameTitle(one: string, other: string): boolean {
  const plain = (title: string) => title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return plain(one) === plain(other);
}

export const undoableUntil = (createdAt: Date): Date => later(createdAt, REDIRECT_LIMITS.undo);
export const canUndo = (createdAt: Date, now: Date): boolean => now < undoableUntil(createdAt);
