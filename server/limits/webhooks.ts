import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { KILOBYTES } from './sizes';

export const WEBHOOK_LIMITS = {
  endpoints: 10,
  urlLength: 2000,
  descriptionLength: 120,
  secretBytes: 32,
  /** How long messages are signed with the former secret, too. */
  overlap: HOURS(24),
  /** Deliveries in the log of an endpoint, on each page. */
  listed: 25,
  /** Characters of each answer in the log; those of one delivery are whole. */
  listedAnswer: 500,
  /** Test events and redeliveries of an endpoint that may wait at once. */
  byHand: 50,
  /** Events and their deliveries. */
  kept: DAYS(30),
  /** Events that are deleted in one statement. */
  deletedAtOnce: 5000,
} as const;

export const DELIVERY_LIMITS = {
  /** Before the second attempt, the third one … */
  retryDelays: [SECONDS(5), MINUTES(5), MINUTES(30), HOURS(2), HOURS(5), HOURS(10), HOURS(14), HOURS(20), HOURS(24)],
  answer: SECONDS(15),
  answerBytes: 64 * KILOBYTES,
  /** Characters that the log keeps of an answer that is a success, or a failure of some time ago. */
  keptAnswer: 1000,
  /** The latest failures of an endpoint of which the log keeps the whole answer. */
  wholeAnswers: 100,
  /** Longer than an attempt and the record of it. */
  lease: SECONDS(60),
  /** An endpoint whose attempts have all failed for so long is switched off. */
  failing: DAYS(5),
  /** Attempts that a worker makes at the same time. */
  places: 120,
  /** Of these, to endpoints whose last attempt has failed: such an attempt may take all of `answer`. */
  failingPlaces: 60,
  /** At the same time to the endpoints of one creator. */
  perCreator: 30,
  /** At the same time to one endpoint. */
  perEndpoint: 20,
  /** The same while its last attempt has failed. */
  perFailingEndpoint: 1,
  /** How long a job delivers before it enqueues its continuation. */
  turn: MINUTES(10),
  /** Between two looks at the table while attempts are running: after the end of one of them, and otherwise. */
  pause: { busy: SECONDS(0.01), idle: SECONDS(0.2) },
} as const;

export const MILESTONE_LIMITS = {
  /** The first one; each further one is ten times as many. */
  first: 100,
  /** Shows that are counted in one step of the job. */
  atOnce: 200,
} as const;
