import { DAYS, MINUTES, SECONDS } from '../base/time';

/**
 * What the installation checks about itself. `slot`: there is one check of each component per slot. `days`: what the status
 * page shows. `kept`: a day more, because the first day of the page begins at midnight UTC. `staleAfter`: after such a
 * time without a check, the page no longer says how the components are. `answer`, `mailAnswer`: how long they may take to
 * answer. `lateJob`: how long a job may wait for a worker; `quickJob`: jobs that may run longer are left out, because
 * their queues may be long without a failure. `stuckEmails`: failing emails to as many addresses in `emailWindow`, without
 * one that was sent, are a failure. `lateEvent`: how long an event of the payment provider may wait; `eventWindow`: older
 * ones have been given up. `lateLook`: the provider is asked for its events every hour. `swept`: rows that one statement
 * deletes.
 */
export const STATUS_LIMITS = {
  slot: MINUTES(5),
  days: 90,
  kept: DAYS(91),
  staleAfter: MINUTES(15),
  answer: SECONDS(2),
  mailAnswer: SECONDS(10),
  lateJob: MINUTES(15),
  quickJob: SECONDS(120),
  stuckEmails: 3,
  emailWindow: MINUTES(60),
  lateEvent: MINUTES(15),
  eventWindow: MINUTES(180),
  lateLook: MINUTES(150),
  swept: 5000,
} as const;

/** `backdated`: how long ago an incident may have begun. `open`: at the same time. `listed`: on the page and in the feed. */
export const INCIDENT_LIMITS = {
  titleLength: 120,
  textLength: 2000,
  updates: 50,
  open: 20,
  listed: 50,
  backdated: DAYS(30),
} as const;
