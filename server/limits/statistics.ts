import { DAYS, HOURS, SECONDS } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * `days`: length of a period. `buckets`: points of a chart. `weekDays`: days that the weekly
 * pattern covers at most. `slices`: values of a dimension. `releases`: marks in a chart. `changes`: corrections below it. `coupons`: the most used ones.
 * `sideBySide`: episodes in the table of a show. `pacing`: earlier episodes with which one is compared, over
 * `pacingHours`. `latest`: the episodes whose `firstDay` is a show's figure 'listeners' (spec §9).
 */
export const STATISTICS_LIMITS = {
  days: 3660,
  buckets: 400,
  weekDays: 92,
  slices: 50,
  releases: 200,
  changes: 50,
  coupons: 20,
  sideBySide: 50,
  pacing: 20,
  pacingHours: 168,
  latest: 3,
  firstDay: HOURS(24),
} as const;

/** Without a granularity, a longer period is shown by weeks, and then by months. */
export const GRANULARITY_UP_TO = { day: 92, week: 731 } as const;

/** `percentFrom`: below, one person is several per cent. `sharesFrom`: from here on, shares of a period are percentages. */
export const READABLE = { percentFrom: 20, sharesFrom: 100 } as const;

/**
 * The monthly report. `shows`: those with most plays have a section; `candidates`: episodes of a show whose hours are
 * added up to find the best one. `averageFrom`: counted days of which there is an average. `slices`: countries and apps. `months`: that the page offers. `creatorsAtOnce`: how many
 * one job finds. `fromHour`: when the email is sent, in the creator's zone; `days`: until when it is still sent, after an
 * outage. `kept`: how long the note that it was sent is stored. `lostAfter`:
 * all attempts of its job have ended by then.
 */
export const REPORT_LIMITS = {
  shows: 20,
  candidates: 3,
  averageFrom: 7,
  slices: 5,
  months: 36,
  creatorsAtOnce: 200,
  fromHour: 7,
  days: 3,
  kept: HOURS(24 * 90),
  lostAfter: HOURS(6),
} as const;

/**
 * Files with the statistics of another host. `rows`: of one file; `breaks`: its lines, with blank ones and those within cells. `sources` and `figures`: of one show. `turn`: rows that are read before other requests have their turn. `shownProblems`:
 * rows left out that are listed; the others are only counted. `firstYear`: before the first podcasts. `largest`: of one
 * figure.
 */
export const HISTORY_LIMITS = {
  bytes: 10 * MEGABYTES,
  rows: 100_000,
  breaks: 200_000,
  cells: 200,
  cellLength: 4000,
  keyLength: 100,
  nameLength: 60,
  episodeLength: 200,
  sources: 10,
  shownSources: 40,
  figures: 300_000,
  batch: 5000,
  turn: 2000,
  shownProblems: 100,
  exportedProblems: 10_000,
  firstYear: 2000,
  largest: 10_000_000_000,
} as const;

/**
 * Links for sponsors. `lifetimes`: in days. `live`: of one show, so that its list stays short; `listed`: with expired and
 * revoked ones. `days`: that the page covers. `episodes`: the latest ones. `useNoted`: how often the last use is written.
 */
export const SPONSOR_LIMITS = {
  lifetimes: [7, 30, 90],
  nameLength: 80,
  live: 20,
  listed: 50,
  kept: DAYS(365),
  days: 90,
  episodes: 10,
  slices: 10,
  useNoted: HOURS(1),
} as const;

/** The last hour as it happens. `every`: how often a visible page asks again. */
export const LIVE_LIMITS = { minutes: 60, episodes: 5, countries: 10, every: SECONDS(20) } as const;
