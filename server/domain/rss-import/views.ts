import type { oldFeeds, rssImportItems, rssImports } from '~/db/schema/rss-import';
import type { EpisodeStatus } from '~/db/values/episodes';
import type {
  FeedPreview,
  ImportStatus,
  ItemState,
  LeftOut,
  OldFeedEnd,
  OldFeedState,
  OldRedirect,
} from '~/db/values/rss-import';
import type { ErrorParams } from '../../base/errors';
import { isFinal, maskAddress, timeLeft } from './rules';

export type ImportRow = typeof rssImports.$inferSelect;
export type ItemRow = typeof rssImportItems.$inferSelect;
type Count = 'items' | 'bytes' | 'checking' | 'rejected' | 'incomplete';
/** For each state, as `countItems` reads them. */
export type ItemCounts = ({ state: ItemState } & Record<Count, number>)[];

/** An import on its creator's screens. */
export type ImportView = {
  id: number;
  status: ImportStatus;
  feedUrl: string;
  preview: FeedPreview;
  /** The masked address; null if the proof is the code. */
  sentTo: string | null;
  proofCode: string;
  expiresAt: Date;
  createdAt: Date;
  endedAt: Date | null;
  isSeen: boolean;
  productId: number | null;
  failure: { code: string; params: ErrorParams } | null;
  progress: ImportProgress;
};

export type ImportProgress = {
  /** The number of episodes in the feed; `done` of them are settled. */
  total: number;
  done: number;
  imported: number;
  updated: number;
  skipped: number;
  failed: number;
  /** The number of imported and updated episodes without a part that the feed names. */
  incomplete: number;
  /** The number of copied episodes whose audio is being checked. */
  checking: number;
  bytesDone: number;
  /** 0 if the feed states none. */
  bytesTotal: number;
  /** Null if unknown. */
  msLeft: number | null;
};

export function toImportView(row: ImportRow, counts: ItemCounts, now: Date): ImportView {
  const { id, feedUrl, preview, proofCode, expiresAt, createdAt, endedAt, productId, failureReason } = row;
  const isOverdue = row.status === 'awaiting_proof' && expiresAt <= now;
  return {
    ...{ id, feedUrl, preview, proofCode, expiresAt, createdAt, endedAt, productId },
    status: isOverdue ? 'expired' : row.status,
    sentTo: row.sentTo === null ? null : maskAddress(row.sentTo),
    isSeen: row.seenAt !== null,
    failure: failureReason === null ? null : { code: failureReason, params: row.failureParams },
    progress: toProgress(row, counts, now),
  };
}

function toProgress(
  { status, preview, startedAt, plannedAt }: ImportRow,
  counts: ItemCounts,
  now: Date,
): ImportProgress {
  const sums = (key: Count, ...states: ItemState[]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + row[key], 0);
  const settled = ['imported', 'updated', 'skipped', 'failed'] as const;
  const done = sums('items', ...settled);
  const total = plannedAt ? done + sums('items', 'waiting') : preview.episodes;
  const bytesDone = sums('bytes', 'imported');
  const bytesTotal = plannedAt ? bytesDone + sums('bytes', 'waiting') : preview.bytes;
  const rejected = sums('rejected', 'imported');
  const elapsed = startedAt ? now.getTime() - startedAt.getTime() : 0;
  return {
    ...{ total, done, bytesDone, bytesTotal },
    imported: sums('items', 'imported') - rejected,
    updated: sums('items', 'updated'),
    skipped: sums('items', 'skipped'),
    failed: sums('items', 'failed') + rejected,
    incomplete: sums('incomplete', 'imported', 'updated'),
    checking: sums('checking', 'imported'),
    msLeft: isFinal(status) ? null : timeLeft(elapsed, bytesDone, bytesTotal),
  };
}

export type ItemView = {
  id: number;
  name: string;
  /** `checking` after the copy; `failed` also after a failed check. */
  state: ItemState | 'checking';
  /** An error code with its values. */
  reason: { code: string; params: ErrorParams } | null;
  /** Parts of the episode that were not copied. */
  leftOut: LeftOut[];
  /** Time of the retry after a temporary failure. */
  retryAt: Date | null;
  episodeId: number | null;
  bytes: number;
};

type ListedItem = {
  item: Pick<
    ItemRow,
    'id' | 'name' | 'state' | 'reason' | 'reasonParams' | 'leftOut' | 'retryAt' | 'episodeId' | 'bytes' | 'attempts'
  >;
  episode: {
    status: EpisodeStatus;
    failureReason: string | null;
    failureParams: ErrorParams;
    deletedAt: Date | null;
  } | null;
};

export function toItemView({ item, episode }: ListedItem): ItemView {
  const { id, name, retryAt, bytes, reason, reasonParams, leftOut } = item;
  const isCopied = item.state === 'imported' && episode !== null;
  const state = isCopied && episode.status === 'in_progress' ? 'checking' : item.state;
  const hasFailed = isCopied && episode.status === 'failed';
  const own = reason === null ? null : { code: reason, params: reasonParams };
  // includes the reason why an episode was put on hold, such as the limit of the plan
  const checked =
    isCopied && episode.failureReason ? { code: episode.failureReason, params: episode.failureParams } : null;
  const episodeId = episode && episode.deletedAt === null ? item.episodeId : null;
  return {
    ...{ id, name, bytes, episodeId, leftOut },
    state: hasFailed ? 'failed' : state,
    reason: own ?? checked,
    retryAt: state === 'waiting' ? retryAt : null,
  };
}

/** The request as the feed's owner sees it before they answer. */
export type ConfirmationView = { id: number; status: ImportStatus; preview: FeedPreview; productId: number | null };

export const toConfirmationView = ({ id, status, preview, productId }: ImportRow): ConfirmationView => ({
  id,
  status,
  preview,
  productId,
});

export type OldFeedRow = typeof oldFeeds.$inferSelect;

/** A show's feed at its former host. `nextAt`: the time of the next poll; null once polling has ended. */
export type OldFeedView = {
  productId: number;
  feedUrl: string;
  /** Whether new episodes arrive as private ones. */
  isPrivate: boolean;
  state: OldFeedState;
  endedBecause: OldFeedEnd | null;
  redirect: OldRedirect;
  failure: { code: string; params: ErrorParams } | null;
  checkedAt: Date | null;
  nextAt: Date | null;
};

/**
 * The progress of apps to the new feed. `redirectTo`: the target for the former host's redirect. `downloads`: downloads
 * of the last days; `fromOldFeed` of them came by that redirect.
 */
export type OldFeedReport = OldFeedView & {
  redirectTo: string;
  days: number;
  downloads: { all: number; fromOldFeed: number };
};

export const toOldFeedView = (row: OldFeedRow): OldFeedView => ({
  productId: row.productId,
  feedUrl: row.feedUrl,
  isPrivate: row.isPrivate,
  state: row.state,
  endedBecause: row.endedBecause,
  redirect: row.redirect,
  failure: row.failureReason === null ? null : { code: row.failureReason, params: row.failureParams },
  checkedAt: row.checkedAt,
  nextAt: row.nextAt,
});
