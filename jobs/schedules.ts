import {
  type Job,
  learnSearchWords,
  prepareListening,
  purgeDeleted,
  recoverConversions,
  recoverDeletions,
  recoverEpisodes,
  refreshPopular,
  sweepExports,
  sweepMessages,
  sweepOutbox,
  sweepSessions,
  sweepTeams,
  sweepUploads,
} from './catalog';

/** Every scheduled job. Cron fields: minute, hour, day, month, weekday, in UTC. */
export const SCHEDULES: { job: Job<object>; cron: string }[] = [
  { job: recoverEpisodes, cron: '*/5 * * * *' },
  { job: purgeDeleted, cron: '35 * * * *' },
  { job: sweepExports, cron: '25 * * * *' },
  { job: recoverDeletions, cron: '*/15 * * * *' },
  { job: learnSearchWords, cron: '*/5 * * * *' },
  { job: refreshPopular, cron: '15 * * * *' },
  { job: recoverConversions, cron: '50 * * * *' },
  { job: sweepUploads, cron: '10 * * * *' },
  { job: sweepSessions, cron: '20 * * * *' },
  { job: sweepOutbox, cron: '30 3 * * *' },
  { job: sweepTeams, cron: '50 3 * * *' },
  { job: sweepMessages, cron: '40 3 * * *' },
  { job: prepareListening, cron: '5 * * * *' },
];
