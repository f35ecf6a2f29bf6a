import { BarList } from '~/app/components/charts/bar-list';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { dayText, shortDayText } from './campaign-words';
import classes from './insertions.module.css';

type Named = { key: string; name: string; impressions: number };
export type ShownFigures = {
  total: number;
  days: { day: string; impressions: number }[];
  isLastDayOpen: boolean;
  episodes: Named[];
  countries: Named[];
  apps: Named[];
};

type Props = { figures: ShownFigures; hasEnded?: boolean };
const PARTS = ['episodes', 'countries', 'apps'] as const;

/** Impressions by day, episode, country and app. */
export function CampaignFigures({ figures, hasEnded = false }: Props) {
  const { t, locale } = useTranslation('campaigns');
  const number = (value: number) => formatNumber(value, locale);
  const text = (value: number) => t('impressions', { count: value, number: number(value) });
  if (figures.days.length === 0)
    return <p className={classes.notice}>{t(hasEnded ? 'figures.never' : 'figures.none')}</p>;
  const open = figures.isLastDayOpen ? figures.days.at(-1) : undefined;
  const longDay = (day: string) =>
    day === open?.day ? t('figures.soFar', { day: dayText(day, locale) }) : dayText(day, locale);
  const best = figures.days.reduce((most, day) => (day.impressions > most.impressions ? day : most));
  return (
    <div className={classes.figures}>
      <ChartFigure
        id="days"
        title={t('figures.days')}
        description={[
          t('figures.best', { day: dayText(best.day, locale), most: text(best.impressions) }),
          ...(open ? [`${longDay(open.day)}: ${text(open.impressions)}.`] : []),
        ].join(' ')}
        table={{
          columns: [t('figures.day'), t('figures.impressions')],
          rows: figures.days.map(({ day, impressions }) => [longDay(day), number(impressions)]),
        }}
      >
        <LineChart
          label={t('figures.days')}
          columns={figures.days.map(({ day, impressions }) => ({
            label: shortDayText(day, locale),
            value: impressions,
            text: `${longDay(day)}: ${text(impressions)}`,
          }))}
          isLastOpen={figures.isLastDayOpen}
          formatNumber={number}
        />
      </ChartFigure>
      <div className={classes.two}>
        {PARTS.map((part) => (
          <Part key={part} part={part} rows={figures[part]} />
        ))}
      </div>
      <p className={classes.status}>{t('figures.method')}</p>
    </div>
  );
}

function Part({ part, rows }: { part: (typeof PARTS)[number]; rows: Named[] }) {
  const { t, locale } = useTranslation('campaigns');
  const number = (value: number) => formatNumber(value, locale);
  if (rows.length === 0) return null;
  const title = t(`figures.${part}`);
  return (
    <ChartFigure
      id={part}
      title={title}
      table={{
        columns: [title, t('figures.impressions')],
        rows: rows.map(({ name, impressions }) => [name, number(impressions)]),
      }}
    >
      <BarList
        label={title}
        bars={rows.slice(0, 8).map(({ key, name, impressions }) => ({
          ...{ key, name, value: impressions },
          text: number(impressions),
        }))}
      />
    </ChartFigure>
  );
}
