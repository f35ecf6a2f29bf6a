import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import classes from './statistics.module.css';
import { trendText } from './trend';
import { isComparable, type StatisticsView } from './view';

type Props = {
  view: StatisticsView;
  /** The average plays in the first 24 hours of the last three episodes; undefined where it has no meaning. */
  listeners?: number | null;
};

/** The sums of the period, each compared with the period before. */
export function TotalFigures({ view, listeners }: Props) {
  const { t, locale } = useTranslation('statistics');
  const { totals, totalsBefore } = view;
  const trendOf = (now: number, then: number | null) =>
    isComparable(view) && then !== null ? trendText(t, { now, before: then }, locale) : undefined;
  const figures = (['plays', 'listens', 'downloads', 'listenersPerDay'] as const).flatMap((name) => {
    const value = totals[name];
    return value === null ? [] : [{ name, value, help: trendOf(value, totalsBefore[name]) }];
  });
  const { downloads, playerDownloads } = totals;
  return (
    <dl className={classes.totals}>
      {figures.map(({ name, value, help }) => (
        <div key={name}>
          <dt>{t(`total.${name}`)}</dt>
          <dd>{formatNumber(value, locale)}</dd>
          {help && <dd className={classes.help}>{help}</dd>}
        </div>
      ))}
      {downloads !== null && playerDownloads !== null && (
        <div>
          <dt>{t('total.iabDownloads')}</dt>
          <dd>{formatNumber(downloads + playerDownloads, locale)}</dd>
          <dd className={classes.help}>{t('total.iabDownloadsHelp')}</dd>
        </div>
      )}
      {listeners !== undefined && (
        <div>
          <dt>{t('total.listeners')}</dt>
          <dd>{listeners === null ? '–' : formatNumber(listeners, locale)}</dd>
          <dd className={classes.help}>{t(listeners === null ? 'total.listenersNone' : 'total.listenersHelp')}</dd>
        </div>
      )}
    </dl>
  );
}
