import { toWallClock } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { monthNotOver } from './errors';
import { figuresOfMonth, monthBefore, monthPeriod } from './month-figures';
import { salesOfMonth } from './month-sales';
import { salesPart } from './report-sales-text';
import { type ReportText, reportText } from './report-text';
import type { MonthReportInput } from './schema';

/** The month that ended last in a time zone. */
export const lastMonth = (now: Date, zone: string): string => monthBefore(toWallClock(now, zone).slice(0, 7));

/**
 * The report of a month that is over, in the reader's language. Its second part, subscribers and revenue, is for those
 * who may see money. @throws statistics.month_not_over, common.role_not_allowed
 */
export async function reportOfMonth(ctx: Ctx, input: MonthReportInput): Promise<ReportText> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { timeZone: zone, name: creator } = await findCreator(ctx, creatorId);
  const last = lastMonth(ctx.now(), zone);
  const month = input.month ?? last;
  if (month > last) throw monthNotOver();
  const months = { period: monthPeriod(month, zone), before: monthPeriod(monthBefore(month), zone) };
  const [figures, sales] = await Promise.all([
    figuresOfMonth(ctx, { creatorId, month, zone }),
    salesOfMonth(ctx, creatorId, months),
  ]);
  const { language, locale } = ctx;
  const texts = {
    t: (key: string, params?: Record<string, string | number>) => ctx.translate(key, params),
    language,
    locale,
  };
  const report = reportText({ figures, creator }, texts);
  if (!sales) return report;
  const [plays, ...shows] = report.parts;
  return { ...report, parts: [plays!, salesPart(sales, figures, texts), ...shows] };
}
