import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatNumber } from '~/server/base/formats';
import type { ReportText } from '~/server/domain/statistics/report-text';
import type { Caller } from '~/server/trpc/caller';
import { daysText, placeText, shortDayText } from './campaign-words';
import { namedFigures } from './named-figures.server';

type Report = Awaited<ReturnType<Caller['statistics']['campaignReport']>>;

const BARS = 8;

/** The report of a campaign as data, which the PDF draws. */
export function campaignReportText(report: Report, context: Door['context']): ReportText {
  const { language, locale } = context;
  const t = translator(language, 'campaigns');
  const number = (value: number) => formatNumber(value, locale);
  const figures = namedFigures(report.figures, context);
  const { campaign, show } = report;
  const impressions = t('impressions', { count: campaign.impressions, number: number(campaign.impressions) });
  // the paper does not say when a day was only half over
  const days = figures.isLastDayOpen ? figures.days.slice(0, -1) : figures.days;
  const bars = (['episodes', 'countries', 'apps'] as const).filter((part) => figures[part].length > 0);
  return {
    month: '',
    title: t('report.file', { name: campaign.name }),
    creator: `${show.name} · ${show.creator}`,
    parts: [
      {
        title: null,
        figures: [
          { label: t('report.total'), value: number(campaign.impressions) },
          { label: t('report.cap'), value: campaign.cap === null ? t('report.none') : number(campaign.cap) },
        ],
        sentences: [
          t('report.sentence', { impressions, show: show.name, creator: show.creator }),
          `${t('report.period')}: ${daysText(campaign, t, locale)}`,
          `${t('report.place')}: ${placeText(campaign, t)}`,
        ],
        chart:
          days.length < 2
            ? null
            : {
                title: t('figures.days'),
                labels: days.map(({ day }) => shortDayText(day, locale)),
                values: days.map((day) => day.impressions),
                ...{ before: [], legend: [] },
              },
        bars: bars.map((part) => ({
          title: t(`figures.${part}`),
          rows: figures[part].slice(0, BARS).map((row) => ({
            ...{ name: row.name, value: row.impressions },
            text: number(row.impressions),
          })),
        })),
      },
    ],
    note: t('figures.method'),
  };
}
