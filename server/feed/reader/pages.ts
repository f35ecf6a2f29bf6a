import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import type { ImportedFeed } from './model';

/** The next page of a paged feed; null at the end, in a loop, and after `FEED_IMPORT_LIMITS.pages` pages. */
export function nextPage(feed: ImportedFeed, visited: readonly string[]): string | null {
  if (!feed.next || visited.length >= FEED_IMPORT_LIMITS.pages) return null;
  return visited.includes(feed.next) ? null : feed.next;
}

/** Joins pages to one feed: the show of the first page, and each episode once. */
export function joinPages(first: ImportedFeed, later: readonly ImportedFeed[]): ImportedFeed {
  const byGuid = new Map(first.episodes.map((episode) => [episode.guid, episode]));
  for (const { episodes } of later)
    for (const episode of episodes) if (!byGuid.has(episode.guid)) byGuid.set(episode.guid, episode);
  const { next: _, ...show } = first;
  return { ...show, episodes: [...byGuid.values()].slice(0, FEED_IMPORT_LIMITS.items) };
}
