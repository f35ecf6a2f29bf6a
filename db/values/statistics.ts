/** How the audio got to the listener. */
export const SOURCES = ['feed', 'private_feed', 'player', 'embed', 'former_host', 'other'] as const;

/** The sources whose plays are listens; their downloads are counted apart (decision 0325). */
export const OWN_PLAYERS = ['player', 'embed'] as const satisfies readonly (typeof SOURCES)[number][];

export const DIMENSIONS = ['country', 'region', 'app', 'device', 'os', 'source', 'referrer'] as const;

export type Source = (typeof SOURCES)[number];
export type Dimension = (typeof DIMENSIONS)[number];

/** What plays: ids of the table of apps, `unknown` if not recognised. `referrer`: a host name. */
export type Client = { app: string; device: string; os: string; referrer: string | null };

/** `country`: ISO 3166-1 alpha-2, `ZZ` if unknown. `region`: ISO 3166-2, such as `ES-MD`, only where it is known. */
export type Place = { country: string; region: string | null };

/** Everything that charts distinguish of one play. */
export type PlayFacts = Client & Place & { source: Source };

/** Numbers by key. A key of numbers beyond the limit is `other`. */
export type Counts = Record<string, number>;

/** Plays (listens, and downloads of others than our players) by value of each dimension. */
export type DimensionCounts = Partial<Record<Dimension, Counts>>;

/** Listens, downloads and downloads of our own players by a part of a day or month, as `{"l": {"37": 2}, "d": {…}}`. */
export type TimeCounts = { l?: Counts; d?: Counts; p?: Counts };

/** Why stored figures have changed afterwards. */
export const CHANGE_REASONS = ['machines', 'recount'] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];
