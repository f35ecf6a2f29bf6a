import { DAYS } from '../base/time';

/**
 * `found`: shows of a search. `episodes`: that a request chooses; the form offers the
 * `offered` newest. `days`: from today to the last day. `asked`: requests of
 * a creator in `window`. `waiting`: requests that a creator has not answered; more would bury the others. `listed`: of each
 * list. `shown`: recommendations on a show's page and in its feed.
 */
export const SHOW_RECOMMENDATION_LIMITS = {
  found: 30,
  searchLength: 200,
  episodes: 200,
  offered: 100,
  days: 366,
  asked: 20,
  window: DAYS(1),
  waiting: 100,
  listed: 200,
  blocked: 500,
  shown: 10,
  reviewed: 500,
} as const;

/** How long a visit by the link of a recommendation is remembered in the visitor's browser. */
export const VISIT_LIMITS = { remembered: DAYS(30) } as const;

/** The plays of the last 30 days from which the size of an audience is small, medium, large or huge. */
export const AUDIENCE_STEPS = { small: 0, medium: 100, large: 1000, huge: 10_000 } as const;
