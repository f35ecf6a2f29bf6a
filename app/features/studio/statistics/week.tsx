import { ChartFigure } from '~/app/components/charts/chart-figure';
import { HeatMap } from '~/app/components/charts/heat-map';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { bestHour, hourNames, longDay, PATTERN_FROM, weekdayNames } from './dates';
import type { StatisticsView } from './view';

/** When people listen: plays by weekday and hour. */
export function WeekPattern({ view, csvUrl }: { view: StatisticsView; csvUrl: string }) {
  const { t, locale } = useTranslation('statistics');
  const { week, period } = view;
  const all = week?.plays.flat().reduce((sum, plays) => sum + plays, 0) ?? 0;
  if (!week || all === 0) return null;
  const [days, shortDays, hours] = [weekdayNames(locale, 'long'), weekdayNames(locale, 'short'), hourNames(locale)];
  const plays = (count: number) => t('plays', { count, number: formatNumber(count, locale) });
  const cellText = (day: number, hour: number) =>
    t('week.cell', { day: days[day] ?? '', hour: hours[hour] ?? '', plays: plays(week.plays[day]?.[hour] ?? 0) });
  const when = { ...bestHour(week.plays, locale), zone: period.zone };
  const description = t(all < PATTERN_FROM ? 'week.few' : 'week.text', { ...when, plays: plays(all) });
  const isPart = week.from > period.from;
  return (
    <ChartFigure
      id="week"
      title={t('week.title')}
      description={isPart ? `${description} ${t('week.since', { day: longDay(week.from, locale) })}` : description}
      table={{
        columns: [t('week.hour'), ...shortDays],
        rows: hours.map((name, hour) => [name, ...week.plays.map((day) => formatNumber(day[hour] ?? 0, locale))]),
      }}
      csvUrl={csvUrl}
    >
      <HeatMap description={description} rows={shortDays} columns={hours} values={week.plays} textOf={cellText} />
    </ChartFigure>
  );
}
