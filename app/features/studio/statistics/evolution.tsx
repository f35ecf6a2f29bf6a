import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { changeText, isIn } from './changes';
import { longDays, longPoint, shortPoint } from './dates';
import { noteOfStep, releaseNote } from './release-note';
import { type ImportedLine, isComparable, type StatisticsView } from './view';

type Props = { view: StatisticsView; csvUrl: string };

/** The plays of the period, day by day or in longer steps, with the released episodes, against the period before. */
export function Evolution({ view, csvUrl }: Props) {
  const { t, locale } = useTranslation('statistics');
  const { period, evolution, evolutionBefore, today, before } = view;
  const number = (value: number) => formatNumber(value, locale);
  const plays = (count: number) => t('plays', { count, number: number(count) });
  const nameOf = (at: string) => longPoint(t, at, { granularity: period.granularity, locale });
  const notes = evolution.map((_, i) => {
    const released = view.releases.filter((release) => isIn(view, i, release.at));
    return releaseNote(
      t,
      released.map(({ name }) => name),
      locale,
    );
  });
  const changes = evolution.map((_, i) => view.changes.filter(({ day }) => isIn(view, i, day)));
  const hasChanges = changes.some(({ length }) => length > 0);
  const imported = view.imported.series.filter(({ isByMonth }) => !isByMonth);
  const theirs = (i: number) =>
    imported.flatMap((line) => {
      const value = line.plays[i] ?? null;
      return value === null ? [] : [` · ${line.name}: ${number(value)}`];
    });
  const columns = evolution.map((point, i) => ({
    label: shortPoint(point.at, period.granularity, locale),
    value: point.plays,
    text: `${nameOf(point.at)}: ${plays(point.plays)}${theirs(i).join('')}`,
    ...noteOfStep(notes[i], changes[i]?.length ? t('change.mark') : undefined),
  }));
  const compared = isComparable(view) ? evolutionBefore.map((point) => point.plays) : [];
  const [best] = [...evolution].sort((a, b) => b.plays - a.plays);
  return (
    <ChartFigure
      id="evolution"
      title={t('evolution.title')}
      description={[
        t('evolution.text', {
          plays: plays(view.totals.plays),
          best: best ? nameOf(best.at) : '',
          most: plays(best?.plays ?? 0),
        }),
        ...useImportedSentence(imported),
      ].join(' ')}
      strokes={[
        { line: 'now', name: t('evolution.now') },
        ...(compared.length > 0
          ? [{ line: 'before' as const, name: t('evolution.before', { days: longDays(t, before, locale) }) }]
          : []),
        ...imported.map(({ name }, i) => ({
          line: 'imported' as const,
          name: t('evolution.imported', { name }),
          nth: i % 3,
        })),
        ...(notes.some(Boolean) ? [{ line: 'mark' as const, name: t('evolution.mark') }] : []),
        ...(hasChanges ? [{ line: 'correction' as const, name: t('change.mark') }] : []),
      ]}
      table={{
        columns: [
          ...['point', 'plays', 'listens', 'downloads', 'before'].map((name) => t(`evolution.column.${name}`)),
          ...(hasChanges ? [t('change.column')] : []),
          ...imported.map(({ name }) => t('evolution.imported', { name })),
        ],
        rows: evolution.map((point, i) => [
          nameOf(point.at),
          number(point.plays),
          point.listens === null ? '–' : number(point.listens),
          point.downloads === null ? '–' : number(point.downloads),
          number(compared[i] ?? 0),
          ...(hasChanges ? [changes[i]!.map((change) => changeText(change, { t, locale })).join(' ')] : []),
          ...imported.map((line) => (typeof line.plays[i] === 'number' ? number(line.plays[i]) : '–')),
        ]),
      }}
      csvUrl={csvUrl}
    >
      <LineChart
        label={t('evolution.title')}
        columns={columns}
        before={compared}
        others={imported.map((line) => line.plays)}
        isLastOpen={period.to === today}
        formatNumber={number}
      />
    </ChartFigure>
  );
}

/** Says that figures of other hosts are counted elsewhere, and not added to ours. */
function useImportedSentence(imported: ImportedLine[]): string[] {
  const { t } = useTranslation('statistics');
  const names = imported.map(({ name }) => name).join(', ');
  return imported.length === 0 ? [] : [t('evolution.importedText', { names })];
}
