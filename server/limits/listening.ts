import { DAYS, MINUTES, SECONDS } from '../base/time';

/**
 * `ticketValidFor`: how long after the start of playback a listen can be reported. `legacyPlays`: plays remembered for
 * one caller and episode.
 */
export const LISTEN_LIMITS = { countedAfterSeconds: 60, ticketValidFor: DAYS(1), legacyPlays: 50 } as const;

/**
 * Minutes that the web player reports. `speed`: the highest that it offers; `slack`: minutes that may be more than the
 * time since the ticket allows, because clocks and halves of minutes are inexact. `hours`: of the episode, in one report;
 * `lastHour`: of the longest episode. `lanes`: reports in different ones never wait for each other.
 */
export const HEARD_LIMITS = { speed: 3, slack: 2, hours: 4, lastHour: 277, lanes: 256 } as const;

/**
 * `maxSeconds`: the highest position in an episode. `reportedWithin`: how late a report may arrive. `continued`: started
 * episodes that a listener is offered to continue, among the `searched` ones that they heard last.
 */
export const POSITION_LIMITS = { maxSeconds: 1_000_000, reportedWithin: DAYS(1), continued: 6, searched: 100 } as const;

/** `window`: how long after a listener's first byte of an episode all further bytes belong to the same download. */
export const DOWNLOAD_LIMITS = { countedAfterMs: MINUTES(1), window: DAYS(1), rawKept: DAYS(90) } as const;

/**
 * `cachedDays`: around midnight, downloads of two days need the salts of three. `missingFor`: how long a missing salt is
 * not looked for again.
 */
export const SALT_LIMITS = { cachedDays: 3, missingFor: MINUTES(1) } as const;

/**
 * How many values of a dimension the sum of a day or month names; others are counted together. Clients can invent
 * hosts, and an operator's files decide the number of regions and apps; the other dimensions have few values.
 */
export const ROLLUP_LIMITS = {
  values: { country: 300, region: 600, app: 200, referrer: 100 },
  pairs: 600,
} as const;

/**
 * Sums that are caught up with: `shows` that are looked at together, `months` and `episodes` that one job sums up of
 * them, and how many in one transaction.
 */
export const CATCH_UP_LIMITS = { shows: 500, months: 5000, episodes: 20_000, atOnce: 50 } as const;

/** Names of agents that a day lists. */
export const MACHINE_LIMITS = { agents: 50 } as const;

/**
 * How long a web process serves an episode's audio without a new query, and for how many episodes. `overviewLength`:
 * minimum length of the peaks in the player's waveform, in Base64.
 */
export const AUDIO_LIMITS = { rowCachedFor: SECONDS(1), cachedRows: 1000, overviewLength: 540 } as const;

/**
 * `capacity`: plays and downloads that may wait for the next commit. `batch`: how many of them one statement writes.
 */
export const RECORDER_LIMITS = { capacity: 20_000, batch: 4000 } as const;

/**
 * The self-audit of the counting. `mostDays`: raw events of the day before may be deleted already. `agents`: the most
 * frequent user agents that are classified again; `sample`: days of shows whose rollups are compared.
 */
export const AUDIT_LIMITS = { days: 7, mostDays: 89, listed: 10, agents: 5000, sample: 100 } as const;

/**
 * Logs of a CDN. `line`: the longest one that is read, in bytes. `batch`: lines that are counted in one transaction.
 * `late`: clocks of servers differ. `oldest`: before, partitions for single lines with a wrong year would be made.
 * `keys`: how long the keys of past days outlive an import that was never continued. `shown`: bad lines that are named.
 */
export const LOG_LIMITS = {
  line: 65_536,
  batch: 2000,
  late: MINUTES(5),
  oldest: DAYS(400),
  keys: DAYS(1),
  shown: 10,
} as const;
