import type { LogEntry, ParseResult } from '~/server/feed/reader/model';

const tally = (notes: LogEntry<string>[]) =>
  notes.map(({ kind, count }) => (count > 1 ? `${kind} ×${count}` : kind)).join(', ');

/** Summarizes a feed without its publisher's texts: which parts it has, and how many of each. */
export function summarize(reading: ParseResult): Record<'kept' | 'repaired' | 'lost', string> {
  const { feed, encoding, items, repairs, losses } = reading;
  const report = { repaired: tally(repairs), lost: tally(losses) };
  if (!feed) return { kept: `no feed, ${encoding}`, ...report };
  const { categories } = feed;
  const named = categories.map(({ name, sub }) => (sub ? `${name} / ${sub}` : name)).join('; ');
  const show = Object.entries(feed).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  const about = `${encoding}; show: ${show.map(([name]) => name).join(' ')}; in ${named || 'no category'}`;
  return { kept: `${about}; ${items} items, ${episodesOf(feed.episodes)}`, ...report };
}

type Episodes = NonNullable<ParseResult['feed']>['episodes'];

function episodesOf(episodes: Episodes): string {
  if (episodes.length === 0) return 'no episode';
  const having = (what: string, has: (episode: Episodes[number]) => unknown) => {
    const count = episodes.filter((one) => has(one)).length;
    return count > 0 ? [`${count} ${what}`] : [];
  };
  const days = episodes
    .flatMap(({ publishedAt }) => (publishedAt ? [publishedAt.toISOString().slice(0, 10)] : []))
    .sort();
  const seconds = episodes.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / 1000;
  return [
    `${episodes.length} episodes`,
    `${new Set(episodes.map(({ guid }) => guid)).size} guids`,
    ...(days.length > 0 ? [`${days.length} dated ${days[0]} to ${days.at(-1)}`] : []),
    `${seconds} s`,
    `${episodes.reduce((sum, { audio }) => sum + audio.bytes, 0)} bytes`,
    [...new Set(episodes.map(({ audio }) => audio.type))].sort().join(' '),
    ...having('with notes', ({ description }) => description),
    ...having('with number', ({ number }) => number),
    ...having('with cover', ({ cover }) => cover),
    ...having('explicit', ({ explicit }) => explicit),
    ...having('with chapters', ({ marks, chapters }) => marks ?? chapters),
    ...having('with transcripts', ({ transcripts }) => transcripts),
    ...having('with persons', ({ persons }) => persons),
  ].join(', ');
}
