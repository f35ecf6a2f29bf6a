/** A show of a creator, or all of them. */
export type Scope = { creatorId: number; productId?: number };
export type Filters = { country?: string; app?: string };

/** UTC days such as `2026-11-26`, both included. */
export type Days = { from: string; to: string };

/** A quarter of an hour of a UTC day: 0 to 95. */
export type Slot = { day: string; slot: number };
/** What one point of a chart sums: from a slot until before another one. `at`: its first local day. */
export type Bucket = { at: string; from: Slot; until: Slot };

/**
 * Listens and downloads are not known apart for a country or an app. Plays are their sum; `playerDownloads`: the
 * downloads of our own players, which the guideline counts, and which are listens here (decision 0325).
 */
export type Counts = {
  plays: number;
  listens: number | null;
  downloads: number | null;
  playerDownloads: number | null;
};
export type Point = { at: string } & Counts;

/** Plays of one of several shows. */
export type ShowPoint = { productId: number; at: string; plays: number };

/** Plays with a value of a dimension (db/values/statistics.ts). */
export type DimensionPlays = { dimension: string; key: string; plays: number };

/** `offset`: of the zone from UTC, in slots. */
export type ZonedDay = { day: string; offset: number };
/** Plays in a slot of the UTC weekday (0 is Monday), on days with this offset. */
export type WeekdayPlays = { offset: number; weekday: number; slot: number; plays: number };

export type StoredEpisode = { creatorId: number; productId: number; id: number };
/** A UTC month of an episode, named by its first day: listens, downloads and those of our players by `DDHH`, and plays by dimension. */
export type EpisodeMonth = {
  month: string;
  hours: { l?: Record<string, number>; d?: Record<string, number>; p?: Record<string, number> };
  dimensions: Partial<Record<string, Record<string, number>>>;
};

export type ReleasedEpisode = { id: number; releasedAt: Date };
/** Plays in the first 24 hours, 7 days and 30 days. */
export type Starts = { id: number; day: number; week: number; month: number };
export type EpisodePlays = { id: number; plays: number };
/** Plays in an hour after the release; hour 0 is the one in which the episode was released. */
export type HourPlays = { id: number; hour: number; plays: number };

/** `l`: a listen; `d`: a download; `p`: a download of our own players, which is no play. */
export type Measure = 'l' | 'd' | 'p';

/** A counted play. `at`: `2026-11-26 08:30:00`, in UTC. Facts that are not known are empty. */
export type CountedPlay = {
  id: number;
  measure: Measure;
  creator_id: number;
  product_id: number;
  episode_id: number;
  at: string;
  country: string;
  region: string;
  app: string;
  device: string;
  os: string;
  source: string;
  referrer: string;
};

/** `slot`: null for plays without a time of day. */
export type SlotSum = ShowDay & { slot: number | null; measure: Measure; plays: number };
/** `dimension`: of db/values/statistics.ts, or `pair` for a country and an app. */
export type ValueSum = ShowDay & { dimension: string; key: string; plays: number };
type ShowDay = { creator_id: number; product_id: number; day: string };
/** `hour`: `2026-11-26 08:00:00`, in UTC. */
export type EpisodeHourSum = { episode_id: number; hour: string; measure: Measure; plays: number };
export type EpisodeValueSum = { episode_id: number; month: string; dimension: string; key: string; plays: number };

/** Sums of former plays. */
export type FormerSums = {
  slots: SlotSum[];
  values: ValueSum[];
  episodeHours: EpisodeHourSum[];
  episodeValues: EpisodeValueSum[];
};

export type StoredSum = { creatorId: number; productId: number; day: string; measure: Measure; plays: number };

/** A store beside Postgres, which gets all counted plays. A call that is repeated with the same key adds nothing. */
export type PlayStore = {
  addPlays(key: string, plays: CountedPlay[]): Promise<void>;
  addSums(key: string, sums: FormerSums): Promise<void>;
  /** By day, of the shows from one ID until before another one. For comparisons. */
  sumDays(products: { from: number; until: number }): Promise<StoredSum[]>;
};

/**
 * What charts show of counted plays, apart from plain sums, which are in Postgres in any case. Plays without a time of
 * day are at noon (UTC), and so are those of a country or an app.
 */
export type StatisticsPort = {
  /** Null if the rollups are in Postgres, where the statement that counts writes them. */
  store: PlayStore | null;
  /** In the order of the buckets, which don't overlap. */
  sumBuckets(scope: Scope, asked: { buckets: Bucket[]; filters: Filters }): Promise<Point[]>;
  /** The shows of a creator in each bucket, in the order of both; without plays, they are missing. */
  sumShows(creatorId: number, buckets: Bucket[]): Promise<ShowPoint[]>;
  /** With a filter: countries and apps only. */
  sumDimensions(scope: Scope, asked: Days & { filters: Filters }): Promise<DimensionPlays[]>;
  /** @param days in their order */
  sumWeekdays(scope: Scope, days: ZonedDay[]): Promise<WeekdayPlays[]>;
  /** Months of one episode, in their order. */
  listMonths(episode: StoredEpisode, months: Days): Promise<EpisodeMonth[]>;
  /** Episodes without plays may be missing. */
  sumStarts(episodes: ReleasedEpisode[]): Promise<Starts[]>;
  sumHours(episodes: ReleasedEpisode[], asked: { hours: number }): Promise<HourPlays[]>;
  /** In the hours that begin within these times, `until` excluded. Episodes without plays are missing. */
  sumEpisodes(ids: number[], times: { from: Date; until: Date }): Promise<EpisodePlays[]>;
};
