import { BarList } from '~/app/components/charts/bar-list';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { PictureCaption } from '~/app/components/charts/picture-caption';
import { WorldMap } from '~/app/components/charts/world-map';
import { StackedTable } from '~/app/components/stacked-table';
import { useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import classes from './figures.module.css';
import type { ShownFigures } from './figures-data.server';

type Props = { figures: ShownFigures };

/** A show's figures on one page, each with the sentence that says how it is counted. */
export function Figures({ figures }: Props) {
  const { t } = useTranslation('figures');
  const { name, creator, cover, days, zone, since, expires } = figures;
  const period = t('page.period', { ...days, zone });
  return (
    <PictureCaption.Provider value={`${name} · ${period}`}>
      <div className={`wrap ${classes.page}`}>
        <header className={classes.head}>
          <img src={cover} alt="" width="112" height="112" />
          <div>
            <p className="muted">{t('page.kind')}</p>
            <h1 dir="auto">{name}</h1>
            <p className="lead" dir="auto">
              {creator}
            </p>
          </div>
        </header>
        <p className="muted">
          {period}
          {since && ` · ${t('page.since', { day: since })}`}
        </p>
        <Totals figures={figures} />
        <Line figures={figures} of="downloads" />
        <Line figures={figures} of="listeners" />
        <Episodes figures={figures} />
        <Places figures={figures} />
        <div className={classes.pair}>
          <Bars id="apps" title={t('page.apps')} slices={figures.apps} />
          <Bars id="devices" title={t('page.devices')} slices={figures.devices} />
        </div>
        <p className="muted">
          {t('page.method')} {t('page.expires', { date: expires })}
        </p>
      </div>
    </PictureCaption.Provider>
  );
}

function Totals({ figures: { totals } }: Props) {
  const { t, locale } = useTranslation('figures');
  const names = ['last30', 'downloads', 'listenersPerDay'] as const;
  return (
    <dl className={classes.totals}>
      {names.map((name) => (
        <div key={name}>
          <dt>{t(`total.${name}`)}</dt>
          <dd>{formatNumber(totals[name], locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Line({ figures, of }: Props & { of: 'downloads' | 'listeners' }) {
  const { t, locale } = useTranslation('figures');
  const points = figures[of];
  const csvUrl = useCsvUrl(of);
  const number = (value: number) => formatNumber(value, locale);
  const text = (value: number) => t(`count.${of}`, { count: value, number: number(value) });
  const best = points.reduce((most, point) => (point.value > most.value ? point : most), points[0]!);
  return (
    <ChartFigure
      id={of}
      title={t(`chart.${of}`)}
      csvUrl={csvUrl}
      description={best.value === 0 ? t('page.none') : t(`chartText.${of}`, { day: best.long, most: text(best.value) })}
      table={{
        columns: [t('page.day'), t(`chart.${of}`)],
        rows: points.map(({ long, value }) => [long, number(value)]),
      }}
    >
      <LineChart
        label={t(`chart.${of}`)}
        columns={points.map(({ label, long, value }) => ({ label, value, text: `${long}: ${text(value)}` }))}
        formatNumber={number}
      />
    </ChartFigure>
  );
}

function Episodes({ figures: { episodes } }: Props) {
  const { t } = useTranslation('figures');
  const { t: words } = useTranslation('statistics');
  const csvUrl = useCsvUrl('episodes');
  if (episodes.length === 0) return null;
  const columns = ['name', 'released', 'first7d', 'first30d'].map((name) => t(`episode.${name}`));
  return (
    <section className={classes.section} aria-labelledby="episodes">
      <h2 id="episodes">{t('episode.title')}</h2>
      <p>{t('episode.text')}</p>
      <StackedTable className={classes.table} columns={columns}>
        {episodes.map(({ name, released, first7d, first30d }, i) => (
          <tr key={i}>
            <th scope="row" dir="auto">
              {name}
            </th>
            <td data-label={columns[1]}>{released}</td>
            <td data-label={columns[2]}>{first7d}</td>
            <td data-label={columns[3]}>{first30d}</td>
          </tr>
        ))}
      </StackedTable>
      <a
        className={classes.file}
        href={csvUrl}
        download
        aria-label={words('chart.csvOf', { title: t('episode.title') })}
      >
        {words('chart.csv')}
      </a>
    </section>
  );
}

function Places({ figures: { countries } }: Props) {
  const { t, locale } = useTranslation('figures');
  const csvUrl = useCsvUrl('countries');
  if (countries.length === 0) return null;
  const number = (value: number) => formatNumber(value, locale);
  const description = countries
    .slice(0, 3)
    .map(({ name, plays }) => `${name}: ${number(plays)}`)
    .join(' · ');
  return (
    <ChartFigure
      id="countries"
      title={t('page.countries')}
      description={description}
      csvUrl={csvUrl}
      table={tableOf(t, countries, number)}
    >
      <div className={classes.places}>
        <div>
          <WorldMap
            description={description}
            unit={t('page.plays')}
            places={countries.map(({ key, name, plays }) => ({ key, value: plays, text: `${name}: ${number(plays)}` }))}
            formatNumber={number}
          />
        </div>
        <BarList label={t('page.countries')} bars={barsOf(countries, number)} />
      </div>
    </ChartFigure>
  );
}

/** The file with the values of one part of the page, whose address contains its token. */
const useCsvUrl = (part: string): string => `${useLocation().pathname}/chart.csv?chart=${part}`;

type Slices = ShownFigures['apps'];

function Bars({ id, title, slices }: { id: string; title: string; slices: Slices }) {
  const { t, locale } = useTranslation('figures');
  const csvUrl = useCsvUrl(id);
  if (slices.length === 0) return null;
  const number = (value: number) => formatNumber(value, locale);
  return (
    <ChartFigure
      id={id}
      title={title}
      description={`${slices[0]!.name}: ${number(slices[0]!.plays)}`}
      csvUrl={csvUrl}
      table={tableOf(t, slices, number)}
    >
      <BarList label={title} bars={barsOf(slices, number)} />
    </ChartFigure>
  );
}

const barsOf = (slices: Slices, number: (value: number) => string) =>
  slices.map(({ key, name, plays }) => ({ key, name, value: plays, text: number(plays) }));

const tableOf = (t: (key: string) => string, slices: Slices, number: (value: number) => string) => ({
  columns: [t('page.name'), t('page.plays')],
  rows: slices.map(({ name, plays }) => [name, number(plays)]),
});
