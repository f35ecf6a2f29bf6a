import {
  catchUpPayments,
  type Job,
  learnSearchWords,
  measureMissing,
  prepareListening,
  purgeDeleted,
  recoverBilling,
  recoverConversions,
  recoverDeletions,
  recoverEpisodes,
  refreshPopular,
  remindAllOverdue,
  reportEndedGifts,
  sweepContacts,
  sweepExports,
  sweepMessages,
  sweepOutbox,
  sweepSessions,
  sweepTeams,
  sweepUploads,
} from './catalog';

/**
 * Every scheduled job. Cron fields: minute, hour, day, month, weekday, in UTC. `isBackfill`: what it enqueues runs after
 * all that people wait for.
 */
export const SCHEDULES: { job: Job<object>; cron: string; isBackfill?: boolean }[] = [
  { job: recoverEpisodes, cron: '*/5 * * * *' },
  { job: measureMissing, cron: '*/5 * * * *', isBackfill: true },
  { job: purgeDeleted, cron: '35 * * * *' },
  { job: sweepExports, cron: '25 * * * *' },
  { job: recoverDeletions, cron: '*/15 * * * *' },
  { job: learnSearchWords, cron: '*/5 * * * *' },
  { job: refreshPopular, cron: '15 * * * *' },
  { job: catchUpPayments, cron: '40 * * * *' },
  { job: remindAllOverdue, cron: '*/10 * * * *' },
  { job: reportEndedGifts, cron: '45 * * * *' },
  { job: recoverBilling, cron: '*/5 * * * *' },
  { job: recoverConversions, cron: '50 * * * *' },
  { job: sweepUploads, cron: '10 * * * *' },
  { job: sweepSessions, cron: '20 * * * *' },
  { job: sweepOutbox, cron: '30 3 * * *' },
  { job: sweepTeams, cron: '50 3 * * *' },
  { job: sweepContacts, cron: '55 * * * *' },
  { job: sweepMessages, cron: '40 3 * * *' },
  { job: prepareListening, cron: '5 * * * *' },
];
