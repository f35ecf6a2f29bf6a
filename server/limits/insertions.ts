import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

/**
 * `keptAfterDeletion`: somebody may still be listening to a rendition with the clip, which they keep for a day.
 * `overdue`: after which a lost conversion is enqueued again; `givenUp`: after which it fails. `enqueued`: conversions of a
 * creator at the same time, so that the jobs of others come between them; `heard`: further ones for which somebody waits.
 * `foreseen`: formats for which a new clip is converted at once, the commonest of the latest `sampled` episodes.
 */
export const CLIP_LIMITS = {
  perCreator: 500,
  nameLength: 100,
  keptAfterDeletion: HOURS(48),
  overdue: MINUTES(40),
  givenUp: DAYS(1),
  recoveredAtOnce: 100,
  sweptAtOnce: 20,
  enqueued: 2,
  heard: 4,
  foreseen: 8,
  sampled: 200,
} as const;

/**
 * `pauseMs`: the shortest pause at which a point is proposed. `snapMs`: how far a click snaps to a pause. `edgeMs`: no
 * mid-roll so near to the start or the end. `apartMs`: between two mid-rolls. `previewMs`: heard before and after a
 * place. `introMs`: how far the end of the intro may be from a pause. `endMs`: where 'before the end' looks for a pause.
 * `templateAtOnce`: episodes of one run of the job that applies a template.
 */
export const POINT_LIMITS = {
  perEpisode: 20,
  pauseMs: 400,
  snapMs: SECONDS(10),
  edgeMs: SECONDS(5),
  apartMs: SECONDS(10),
  previewMs: SECONDS(5),
  introMs: SECONDS(5),
  endMs: MINUTES(3),
  proposals: 3,
  shortestMs: MINUTES(1),
  templateAtOnce: 50,
} as const;

/** `perEpisode`: passages; `atOnce`: episodes of one form. */
export const PASSAGE_LIMITS = { perEpisode: 20, atOnce: 100, shortestMs: 500 } as const;

export const PROMO_LIMITS = { maxSeconds: 30 } as const;

/**
 * `window`: how long a listener keeps a rendition, from the first request. `id`: hexadecimal digits of a hash. `indexBytes`
 * and `builtBytes`: of frame indexes and tags in a process. `held`: listeners whose choice a process remembers. `swept`:
 * old downloads of one transaction; `removed`: renditions that were unused for `unusedFor`. `episodes`: whose lengths one
 * job writes. `spans`: ranges of a download that do not touch; apps need a handful. `perAddress`: listeners of an episode
 * behind one address whose choice is kept. `turns`: ways in which the clips of campaigns take turns, which each number of
 * clips divides; each of them makes renditions.
 */
export const RENDITION_LIMITS = {
  window: DAYS(1),
  unusedFor: DAYS(7),
  id: 32,
  indexBytes: 96 * 1024 * 1024,
  builtBytes: 64 * 1024 * 1024,
  held: 20_000,
  swept: 1000,
  removed: 100,
  episodes: 50,
  spans: 500,
  perAddress: 100,
  turns: 60,
} as const;

/**
 * `perShow`: campaigns of a show, ended ones included, but not deleted ones. `episodes`: chosen ones of a campaign.
 * `midRolls`: the numbers of mid-rolls. `silenceMs`: around a clip. `reach`: the past whose plays say how many a
 * choice of countries reaches; `reachRows`: up to which number they are counted one by one. `days`, `slices`: of its
 * figures. `creatorsAtOnce`: whose campaigns one transaction ends.
 */
export const CAMPAIGN_LIMITS = {
  perShow: 200,
  nameLength: 100,
  clips: 5,
  episodes: 1000,
  midRolls: 10,
  silenceMs: 3000,
  cap: 100_000_000,
  countries: 250,
  days: 400,
  slices: 50,
  creatorsAtOnce: 200,
  reach: DAYS(30),
  reachRows: 100_000,
} as const;
