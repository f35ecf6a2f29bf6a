import { sendMonthReport as send, sendMonthReports as sendAll } from '~/server/domain/statistics/send-reports';
import { sendMonthReport, sendMonthReports } from '~/server/queue/jobs/statistics';
import { handle } from './handle';

export const statisticsHandlers = [
  handle(sendMonthReports, (payload, ctx) => sendAll(ctx, payload)),
  handle(sendMonthReport, (payload, ctx) => send(ctx, payload)),
];
