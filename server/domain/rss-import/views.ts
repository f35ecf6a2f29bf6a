import type { oldFeeds, rssImportItems, rssImports } from '~/db/schema/rss-import';
import type { EpisodeStatus } from '~/db/values/episodes';
import type {
  FeedPreview,
  ImportStatus,
  ItemState,
  OldFeedEnd,
  OldFeedState,
  OldRedirect,
} from '~/db/values/rss-import';
import type { ErrorParams } from '../../base/errors';
import { isFinal, maskAddress, timeLeft } from './rules';

export type ImportRow = typeof rssImports.$inferSelect;
export type ItemRow = typeof rssImportItems.$inferSelect;
/** Of each state: how many items, their bytes, and how many episodes whose audio is being checked, or has failed that. */
export type ItemCounts = { state: ItemState; items: number; bytes: number; checking: number; rejected: number }[];

/** An import as its creator's screens show it. */
export type ImportView = {
  id: number;
  status: ImportStatus;
  feedUrl: string;
  preview: FeedPreview;
  /** Masked; null if the proof is the code. */
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
  /** Episodes of the feed; `done` of them are settled. */
  total: number;
  done: number;
  imported: number;
  updated: number;
  skipped: number;
  failed: number;
  /** Copied episodes whose audio is being checked. */
  checking: number;
  bytesDone: number;
  /** 0 if the feed states none. */
  bytesTotal: number;
  /** Null if it can't be told. */
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
  const sums = (key: 'items' | 'bytes' | 'checking' | 'rejected', ...states: ItemState[]) =>
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
    checking: sums('checking', 'imported'),
    msLeft: isFinal(status) ? null : timeLeft(elapsed, bytesDone, bytesTotal),
  };
}

export type ItemView = {
  id: number;
  name: string;
  /** `checking` after the copy; `failed` also if the check has failed. */
  state: ItemState | 'checking';
  /** An error code with its values. */
  reason: { code: string; params: ErrorParams } | null;
  /** After a temporary failure. */
  retryAt: Date | null;
  episodeId: number | null;
  bytes: number;
};

type ListedItem = {
  item: Pick<
    ItemRow,
    'id' | 'name' | 'state' | 'reason' | 'reasonParams' | 'retryAt' | 'episodeId' | 'bytes' | 'attempts'
  >;
  episode: {
    status: EpisodeStatus;
    failureReason: string | null;
    failureParams: ErrorParams;
    deletedAt: Date | null;
  } | null;
};

export function toItemView({ item, episode }: ListedItem): ItemView {
  const { id, name, retryAt, bytes, reason, reasonParams } = item;
  const isCopied = item.state === 'imported' && episode !== null;
  const state = isCopied && episode.status === 'in_progress' ? 'checking' : item.state;
  const hasFailed = isCopied && episode.status === 'failed';
  const own = reason === null ? null : { code: reason, params: reasonParams };
  // also why an episode was put on hold, such as the limit of the plan
  const checked =
    isCopied && episode.failureReason ? { code: episode.failureReason, params: episode.failureParams } : null;
  const episodeId = episode && episode.deletedAt === null ? item.episodeId : null;
  return {
    ...{ id, name, bytes, episodeId },
    state: hasFailed ? 'failed' : state,
    reason: own ?? checked,
    retryAt: state === 'waiting' ? retryAt : null,
  };
}

/** What the feed's owner sees before they answer. */
export type ConfirmationView = { id: number; status: ImportStatus; preview: FeedPreview; productId: number | null };

export const toConfirmationView = ({ id, status, preview, productId }: ImportRow): ConfirmationView => ({
  id,
  status,
  preview,
  productId,
});

export type OldFeedRow = typeof oldFeeds.$inferSelect;

/** A show's feed at its former host. `nextAt`: of the next poll; null once it has ended. */
export type OldFeedView = {
  productId: number;
  feedUrl: string;
  state: OldFeedState;
  endedBecause: OldFeedEnd | null;
  redirect: OldRedirect;
  failure: { code: string; params: ErrorParams } | null;
  checkedAt: Date | null;
  nextAt: Date | null;
};

/**
 * How far the apps have moved. `redirectTo`: the address to which the former host shall redirect. `downloads`: of the last
 * days; `fromOldFeed` came by that redirect.
 */
export type OldFeedReport = OldFeedView & {
  redirectTo: string;
  days: number;
  downloads: { all: number; fromOldFeed: number };
};

export const toOldFeedView = (row: OldFeedRow): OldFeedView => ({
  productId: row.productId,
  feedUrl: row.feedUrl,
  state: row.state,
  endedBecause: row.endedBecause,
  redirect: row.redirect,
  failure: row.failureReason === null ? null : { code: row.failureReason, params: row.failureParams },
  checkedAt: row.checkedAt,
  nextAt: row.nextAt,
});
