import type { Job } from '~/server/queue/job';
import { recoverDeletions, sweepExports, sweepSessions } from '~/server/queue/jobs/accounts';
import { catchUpAffiliates, sweepVisits } from '~/server/queue/jobs/affiliates';
import { sweepApps } from '~/server/queue/jobs/apps';
import { sweepContacts } from '~/server/queue/jobs/audience';
import {
  catchUpPayments,
  reconcileBooks,
  recoverBilling,
  remindAllOverdue,
  reportEndedGifts,
  setPlatformFees,
  sweepPayments,
} from '~/server/queue/jobs/billing';
import { sweepCreatorBackups } from '~/server/queue/jobs/creator-backup';
import { sweepApiCalls } from '~/server/queue/jobs/developers';
import { measureMissing, purgeDeleted, recoverEpisodes, refreshTranscriptSearch } from '~/server/queue/jobs/episodes';
import { findShared } from '~/server/queue/jobs/feeds';
import { endUnplanned, refreshDue, releaseReservations, sweepClips } from '~/server/queue/jobs/insertions';
import { catchUpSums, prepareListening, shipStatistics } from '~/server/queue/jobs/listening';
import { sweepUploads } from '~/server/queue/jobs/media';
import { recoverMoves } from '~/server/queue/jobs/moving';
import {
  checkDomains,
  deliverBulkEmails,
  readMailbox,
  recoverEditions,
  sendDueSteps,
  sweepReports,
} from '~/server/queue/jobs/newsletter';
import { sweepOutbox } from '~/server/queue/jobs/notifications';
import { learnSearchWords, recoverConversions, refreshPopular } from '~/server/queue/jobs/products';
import { reviewAllRecommendations } from '~/server/queue/jobs/recommendations';
import { recoverImports, sweepImports, sweepShowPreviews } from '~/server/queue/jobs/rss-import';
import { checkSpotifyShows, reconcileSpotify } from '~/server/queue/jobs/spotify';
import { sendMonthReports } from '~/server/queue/jobs/statistics';
import { checkComponents, sweepChecks } from '~/server/queue/jobs/status';
import { sweepMessages } from '~/server/queue/jobs/support';
import { sweepTeams } from '~/server/queue/jobs/team';
import { recoverTranscriptions } from '~/server/queue/jobs/transcription';
import { recheckVatNumbers } from '~/server/queue/jobs/vat';
import { countMilestones, sweepWebhooks } from '~/server/queue/jobs/webhooks';

/**
 * Every scheduled job. Cron fields: minute, hour, day, month, weekday, in UTC. `isBackfill`: the jobs that it enqueues
 * run after all jobs with a waiting user.
 */
export const SCHEDULES: { job: Job<object>; cron: string; isBackfill?: boolean }[] = [
  { job: deliverBulkEmails, cron: '* * * * *' },
  { job: sendDueSteps, cron: '* * * * *' },
  { job: endUnplanned, cron: '*/30 * * * *' },
  { job: refreshDue, cron: '*/5 * * * *' },
  { job: releaseReservations, cron: '*/10 * * * *' },
  { job: recoverEditions, cron: '*/5 * * * *' },
  { job: checkDomains, cron: '15 * * * *', isBackfill: true },
  { job: recoverEpisodes, cron: '*/5 * * * *' },
  { job: measureMissing, cron: '*/5 * * * *', isBackfill: true },
  { job: refreshTranscriptSearch, cron: '* * * * *' },
  { job: purgeDeleted, cron: '35 * * * *' },
  { job: sweepExports, cron: '25 * * * *' },
  { job: recoverDeletions, cron: '*/15 * * * *' },
  { job: learnSearchWords, cron: '*/5 * * * *' },
  { job: refreshPopular, cron: '15 * * * *' },
  { job: catchUpPayments, cron: '40 * * * *' },
  { job: setPlatformFees, cron: '5 * * * *' },
  { job: remindAllOverdue, cron: '*/10 * * * *' },
  { job: reportEndedGifts, cron: '45 * * * *' },
  { job: reconcileBooks, cron: '20 2 * * *', isBackfill: true },
  { job: recheckVatNumbers, cron: '35 */3 * * *' },
  { job: recoverBilling, cron: '*/5 * * * *' },
  { job: recoverImports, cron: '*/5 * * * *' },
  { job: recoverTranscriptions, cron: '*/10 * * * *' },
  { job: recoverMoves, cron: '*/5 * * * *' },
  { job: recoverConversions, cron: '50 * * * *' },
  { job: reviewAllRecommendations, cron: '12 * * * *' },
  { job: checkSpotifyShows, cron: '*/5 * * * *', isBackfill: true },
  { job: reconcileSpotify, cron: '10 4 * * *', isBackfill: true },
  { job: findShared, cron: '30 * * * *' },
  { job: sweepPayments, cron: '0 * * * *' },
  { job: sweepImports, cron: '20 3 * * *' },
  { job: sweepShowPreviews, cron: '48 * * * *' },
  { job: sweepCreatorBackups, cron: '*/15 * * * *' },
  { job: sweepClips, cron: '*/10 * * * *', isBackfill: true },
  { job: sweepUploads, cron: '10 * * * *' },
  { job: sweepSessions, cron: '20 * * * *' },
  { job: catchUpAffiliates, cron: '40 4 * * *', isBackfill: true },
  { job: sweepVisits, cron: '5 3 * * *' },
  { job: sweepApiCalls, cron: '28 * * * *' },
  { job: sweepApps, cron: '10 3 * * *' },
  { job: sweepOutbox, cron: '30 3 * * *' },
  { job: sweepTeams, cron: '50 3 * * *' },
  { job: sweepContacts, cron: '55 * * * *' },
  { job: readMailbox, cron: '* * * * *' },
  { job: sweepReports, cron: '15 4 * * *' },
  { job: sweepMessages, cron: '40 3 * * *' },
  { job: checkComponents, cron: '*/5 * * * *' },
  { job: sweepChecks, cron: '45 3 * * *' },
  { job: sendMonthReports, cron: '10 * * * *', isBackfill: true },
  { job: prepareListening, cron: '5 * * * *' },
  { job: catchUpSums, cron: '25 * * * *', isBackfill: true },
  { job: shipStatistics, cron: '* * * * *' },
  { job: countMilestones, cron: '*/10 * * * *', isBackfill: true },
  { job: sweepWebhooks, cron: '25 3 * * *' },
];
