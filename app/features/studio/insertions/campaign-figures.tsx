import { BarList } from '~/app/components/charts/bar-list';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { dayText } from './campaign-words';
import classes from './insertions.module.css';

type Named = { key: string; name: string; impressions: number };
export type ShownFigures = {
  total: number;
  days: { day: string; impressions: number }[];
  episodes: Named[];
  countries: Named[];
  apps: Named[];
};

type Props = { figures: ShownFigures; csvUrl: (part: string) => string };
const PARTS = ['episodes', 'countries', 'apps'] as const;

/** Impressions by day, episode, country and app. */
export function CampaignFigures({ figures, csvUrl }: Props) {
  const { t, locale } = useTranslation('campaigns');
  const number = (value: number) => formatNumber(value, locale);
  const text = (value: number) => t('impressions', { count: value, number: number(value) });
  if (figures.days.length === 0) return <p className={classes.notice}>{t('figures.none')}</p>;
  const best = figures.days.reduce((most, day) => (day.impressions > most.impressions ? day : most));
  return (
    <div className={classes.figures}>
      <ChartFigure
        id="days"
        title={t('figures.days')}
        description={t('figures.best', { day: dayText(best.day, locale), most: text(best.impressions) })}
        csvUrl={csvUrl('days')}
        table={{
          columns: [t('figures.day'), t('figures.impressions')],
          rows: figures.days.map(({ day, impressions }) => [dayText(day, locale), number(impressions)]),
        }}
      >
        <LineChart
          label={t('figures.days')}
          columns={figures.days.map(({ day, impressions }) => ({
            label: dayText(day, locale),
            value: impressions,
            text: `${dayText(day, locale)}: ${text(impressions)}`,
          }))}
          formatNumber={number}
        />
      </ChartFigure>
      <div className={classes.two}>
        {PARTS.map((part) => (
          <Part key={part} part={part} rows={figures[part]} csvUrl={csvUrl(part)} />
        ))}
      </div>
      <p className={classes.status}>{t('figures.method')}</p>
    </div>
  );
}

function Part({ part, rows, csvUrl }: { part: (typeof PARTS)[number]; rows: Named[]; csvUrl: string }) {
  const { t, locale } = useTranslation('campaigns');
  const number = (value: number) => formatNumber(value, locale);
  if (rows.length === 0) return null;
  const title = t(`figures.${part}`);
  return (
    <ChartFigure
      id={part}
      title={title}
      description={rows
        .slice(0, 3)
        .map(({ name, impressions }) => `${name}: ${number(impressions)}`)
        .join(' · ')}
      csvUrl={csvUrl}
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
