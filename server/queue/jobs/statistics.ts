import { z } from 'zod';
import { count, id, job, PATIENT, SCHEDULED } from '../job';

/** Enqueues the monthly reports of creators with ids above `after` (statistics/send-reports.ts), and the next such job. */
export const sendMonthReports = job('statistics.send-reports', { after: count }, SCHEDULED);
export const sendMonthReport = job(
  'statistics.send-report',
  { creatorId: id, month: z.string().regex(/^\d{4}-\d{2}$/) },
  PATIENT,
);
