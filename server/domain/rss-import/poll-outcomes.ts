import { createHash } from 'node:crypto';
import type { FeedItem, OldFeedEnd, OldFeedState, OldRedirect } from '~/db/values/rss-import';
import { cut } from '../../base/cut-text';
import type { AppError } from '../../base/errors';
import { pick } from '../../base/fields';
import { secondsAsked } from '../../base/retries';
import { later } from '../../base/time';
import type { ImportedEpisode } from '../../feed/reader/model';
import { IMPORT_LIMITS, OLD_FEED_LIMITS } from '../../limits/rss-import';
import { pathOf, toFeedItem } from './rules';

/** The result of a request for an old feed. */
export type Polled =
  | { kind: 'read'; redirect: 'none' | 'tag' }
  | { kind: 'redirected'; isPermanent: boolean }
  | { kind: 'failed'; error: AppError };

type Before = { state: OldFeedState; redirect: OldRedirect; failures: number; since: Date };
export type AfterPoll = Omit<Before, 'since'> & {
  endedBecause: OldFeedEnd | null;
  failureReason: string | null;
  failureParams: AppError['params'];
  nextAt: Date | null;
};

const NO_FAILURE = { failures: 0, failureReason: null, failureParams: {} };

/**
 * Decides the next poll of a feed, and the state that its creator sees. A permanent redirect to us ends the polling,
 * and so do days of failures.
 */
export function afterPoll(before: Before, polled: Polled, now: Date): AfterPoll {
  if (polled.kind === 'redirected' && polled.isPermanent)
    return { ...ended('moved'), ...NO_FAILURE, redirect: 'permanent' };
  if (polled.kind === 'failed') return afterFailure(before, polled.error, now);
  const redirect = polled.kind === 'read' ? polled.redirect : 'temporary';
  const isOver = before.state === 'watching' && later(before.since, OLD_FEED_LIMITS.watchFor) <= now;
  if (isOver) return { ...ended('unmoved'), ...NO_FAILURE, redirect };
  return {
    state: before.state,
    endedBecause: null,
    ...NO_FAILURE,
    redirect,
    nextAt: later(now, pauseOf(before.state, 0)),
  };
}

function afterFailure({ state, redirect, failures }: Before, error: AppError, now: Date): AfterPoll {
  const failure = { failures: failures + 1, failureReason: error.code, failureParams: error.params };
  if (failure.failures >= OLD_FEED_LIMITS.failures) return { ...ended('failing'), ...failure, redirect };
  const asked = Math.min(secondsAsked(error) * 1000, OLD_FEED_LIMITS.longest);
  const pause = Math.max(asked, pauseOf(state, failure.failures));
  return { state, endedBecause: null, ...failure, redirect, nextAt: later(now, pause) };
}

const ended = (endedBecause: OldFeedEnd) => ({ state: 'ended' as const, endedBecause, nextAt: null });

function pauseOf(state: OldFeedState, failures: number): number {
  const { every, longest, watchEvery } = OLD_FEED_LIMITS;
  return state === 'watching' ? watchEvery : Math.min(every * 2 ** failures, longest);
}

/** An episode as its latest import has stored it. */
export type KnownItem = { guid: string; fingerprint: string | null; name: string; publishedAt: string | null };

/**
 * The episodes of a feed that are new, or differ from the imported ones. If a host has changed only an episode's GUID,
 * it is neither: title and time are equal, and the former GUID no longer occurs.
 */
export function changedEpisodes(known: readonly KnownItem[], found: readonly ImportedEpisode[]): ImportedEpisode[] {
  const byGuid = new Map(known.map((item) => [item.guid, item]));
  const present = new Set(found.map(({ guid }) => guid));
  const renamed = new Set(known.filter(({ guid }) => !present.has(guid)).map(nameAndTime));
  return found.filter((episode) => {
    if (episode.guid.length > IMPORT_LIMITS.guidLength) return false;
    const item = byGuid.get(episode.guid);
    if (item) return item.fingerprint !== null && item.fingerprint !== fingerprintOf(toFeedItem(episode));
    const publishedAt = episode.publishedAt?.toISOString() ?? null;
    return publishedAt === null || !renamed.has(nameAndTime({ name: itemName(episode), publishedAt }));
  });
}

const nameAndTime = ({ name, publishedAt }: Pick<KnownItem, 'name' | 'publishedAt'>) => `${publishedAt} ${name}`;

/** The name of an item in lists. */
export const itemName = ({ title, guid }: Pick<ImportedEpisode, 'title' | 'guid'>): string =>
  cut(title, 200) || guid.slice(0, 200);

/** Without dates, the feed's order stays. */
export function newestFirst(episodes: readonly ImportedEpisode[]): ImportedEpisode[] {
  const time = (at: Date | null) => at?.getTime() ?? Number.NEGATIVE_INFINITY;
  return [...episodes].sort((a, b) => time(b.publishedAt) - time(a.publishedAt) || 0);
}

/** An episode as previews list it. */
export const toPreviewedItem = (episode: ImportedEpisode) => ({
  title: itemName(episode),
  publishedAt: episode.publishedAt?.toISOString() ?? null,
  durationMs: episode.durationMs,
});

const COMPARED = ['title', 'description', 'season', 'number', 'explicit', 'persons'] as const;

/**
 * Fingerprint of the fields that another import would change. The address of a file counts only if its length is
 * unknown, because many addresses are signed again each time.
 */
export function fingerprintOf(item: FeedItem): string {
  const { bytes, url } = item.audio;
  const compared = JSON.stringify([COMPARED.map((name) => pick(item, [name])[name] ?? null), bytes || pathOf(url)]);
  return createHash('sha256').update(compared).digest('base64url').slice(0, 22);
}
