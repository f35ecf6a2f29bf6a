import type { Dimension } from '~/db/values/statistics';

/** What the pages of statistics show: the figures of the room, with the names of their values in the reader's language. */
export type NamedSlice = { key: string; name: string; plays: number };
/** Listens and downloads are not known apart for a country or an app. */
type Counts = {
  plays: number;
  listens: number | null;
  downloads: number | null;
  /** Of our own players, whose plays are listens. */
  playerDownloads: number | null;
};
/** `at`: the first local day. */
export type Point = Counts & { at: string };
export type Totals = Counts & { listenersPerDay: number | null };
export type Granularity = 'day' | 'week' | 'month';
export type Days = { from: string; to: string };

/** `day`: when the figures of `from` to `to` were corrected; the others: how much they have grown. */
export type Change = Days & { day: string; reason: 'machines' | 'recount'; listens: number; downloads: number };

export type StatisticsView = {
  /** The first day that we counted; null before the first play. */
  since: string | null;
  /** The reader's day, in the zone of the period. */
  today: string;
  period: Days & { zone: string; granularity: Granularity };
  before: Days;
  totals: Totals;
  totalsBefore: Totals;
  evolution: Point[];
  evolutionBefore: Point[];
  releases: { id: number; name: string; at: string }[];
  /** Corrections of stored figures, latest first. */
  changes: Change[];
  /** Null where it is not known, for instance of a country. */
  breakdown: Record<Dimension, NamedSlice[] | null>;
  /** The months that the breakdown covers, where it can't follow the period. */
  breakdownPeriod: Days | null;
  /** Plays by weekday, Monday first, and hour. `from`: the first of the days that it covers. */
  week: { from: string; plays: number[][] } | null;
  /** Figures of other hosts, which are beside ours in the chart, and in no sum. `since`: the first day of them. */
  imported: { since: string | null; series: ImportedLine[] };
  machines: { requests: number; reasons: NamedSlice[]; agents: NamedSlice[] } | null;
};

/** `isByMonth`: all of its figures are of months, which a chart by day or week can't show. */
export type ImportedLine = { id: number; name: string; plays: (number | null)[]; isByMonth: boolean };

/** The first day that a chart can show, by us or by another host. */
export function firstShown({ since, imported }: Pick<StatisticsView, 'since' | 'imported'>): string | null {
  const days = [since, imported.since].filter((day) => day !== null);
  return days.sort()[0] ?? null;
}

export const hasImported = ({ imported }: StatisticsView): boolean =>
  imported.series.some(({ plays }) => plays.some((value) => value !== null));

/** Whether the period before was counted from its first day. */
export const isComparable = ({ since, before }: StatisticsView): boolean => since !== null && since <= before.from;

/** Null: the episode is older than our first play. */
export type EpisodeStart = {
  id: number;
  name: string;
  releasedAt: Date;
  first24h: number | null;
  first7d: number | null;
  first30d: number | null;
  total: number;
};

/** Plays since the release, hour by hour, and the quartiles of the `compared` episodes before. */
export type Pacing = {
  hours: number[];
  others: { lower: number[]; median: number[]; upper: number[] };
  compared: number;
};
