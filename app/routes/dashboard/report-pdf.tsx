import { pdfFile } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { reportPdf } from '~/app/features/studio/statistics/report-pdf.server';
import { file } from '~/app/lib/doors.server';
import { formatNumber } from '~/server/base/formats';

/** The report of a month, for all shows of the creator. */
export const loader = file(async ({ api, context, url }) => {
  const { language, locale } = context;
  const report = await api.statistics.monthReport({ month: url.searchParams.get('month') ?? undefined });
  const content = await reportPdf({ report, language, formatNumber: (value) => formatNumber(value, locale) });
  return pdfFile(`report-${report.month}.pdf`, content);
});
