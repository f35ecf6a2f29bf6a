import { pdfFile } from '~/app/features/listener/subscriptions/receipt-pdf.server';
import { openCampaignReport, REPORT_HEADERS } from '~/app/features/site/figures/open-campaign-report.server';
import { campaignReportText } from '~/app/features/studio/insertions/campaign-report-text.server';
import { reportPdf } from '~/app/features/studio/statistics/report-pdf.server';
import { file } from '~/app/lib/doors.server';
import { formatNumber } from '~/server/base/formats';

/** The report of a campaign as a file, drawn like the monthly report. */
export const loader = file(async (door) => {
  const { language, locale } = door.context;
  const report = campaignReportText(await openCampaignReport(door), door.context);
  const content = await reportPdf({ report, language, formatNumber: (value) => formatNumber(value, locale) });
  const response = pdfFile('campaign-report.pdf', content);
  for (const [name, value] of Object.entries(REPORT_HEADERS)) response.headers.set(name, value);
  return response;
});
