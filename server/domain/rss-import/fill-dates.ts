import { SECONDS } from '../../base/time';
import type { ImportedEpisode } from '../../feed/reader/model';

type Dated = { time: number; at: number };

/**
 * Gives episodes without a readable date one between those of their neighbours in the feed, so that they keep their
 * places; before the first and after the last dated one, a second apart. Without any date, all stay as they are.
 */
export function fillDates(episodes: readonly ImportedEpisode[]): ImportedEpisode[] {
  const dated = episodes.flatMap(({ publishedAt }, at) => (publishedAt ? [{ time: publishedAt.getTime(), at }] : []));
  const [first, last] = [dated[0], dated.at(-1)];
  if (!first || !last) return [...episodes];
  const step = SECONDS(first.time < last.time ? 1 : -1);
  let before: Dated | undefined;
  let next = 0;
  return episodes.map((episode, at) => {
    if (episode.publishedAt) {
      before = dated[next];
      next += 1;
      return episode;
    }
    return { ...episode, publishedAt: new Date(timeBetween(at, { before, after: dated[next], step })) };
  });
}

type Neighbours = { before: Dated | undefined; after: Dated | undefined; step: number };

function timeBetween(at: number, { before, after, step }: Neighbours): number {
  if (!before) return after!.time - step * (after!.at - at);
  if (!after) return before.time + step * (at - before.at);
  const share = (at - before.at) / (after.at - before.at);
  return Math.floor((before.time + (after.time - before.time) * share) / SECONDS(1)) * SECONDS(1);
}
