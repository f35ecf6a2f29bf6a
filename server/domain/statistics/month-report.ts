import { toWallClock } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { monthNotOver } from './errors';
import { figuresOfMonth, monthBefore } from './month-figures';
import { type ReportText, reportText } from './report-text';
import type { MonthReportInput } from './schema';

/** The month that ended last in a time zone. */
export const lastMonth = (now: Date, zone: string): string => monthBefore(toWallClock(now, zone).slice(0, 7));

/**
 * The report of a month that is over, in the reader's language. @throws statistics.month_not_over,
 * common.role_not_allowed
 */
export async function reportOfMonth(ctx: Ctx, input: MonthReportInput): Promise<ReportText> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { timeZone: zone, name: creator } = await findCreator(ctx, creatorId);
  const last = lastMonth(ctx.now(), zone);
  const month = input.month ?? last;
  if (month > last) throw monthNotOver();
  const figures = await figuresOfMonth(ctx, { creatorId, month, zone });
  const { language, locale } = ctx;
  return reportText({ figures, creator }, { t: (key, params) => ctx.translate(key, params), language, locale });
}
