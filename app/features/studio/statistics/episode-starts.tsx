import { StackedTable } from '~/app/components/stacked-table';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { STARTS, startText } from '~/app/lib/start-text';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, formatNumber } from '~/server/base/formats';
import type { KindName } from '~/server/domain/products/kinds';
import type { Heard } from '~/server/domain/statistics/retention';
import { heardText } from './retention';
import classes from './statistics.module.css';
import type { EpisodeStart } from './view';

type Props = {
  product: { id: number; kind: KindName };
  episodes: EpisodeStart[];
  /** What listeners of our player heard of them, by their ids. */
  heard: Record<number, Heard>;
  csvUrl: string;
  zone: string;
  now: Date;
};

/** The show's episodes side by side: how they started, and all their plays. */
export function EpisodeStarts({ product, episodes, heard, csvUrl, zone, now }: Props) {
  const { t, locale } = useTranslation('statistics');
  const paths = usePaths();
  const may = useMay();
  if (episodes.length === 0) return null;
  const hasHeard = episodes.some(({ id }) => heard[id]);
  const columns = ['episode', 'released', ...STARTS.map(({ name }) => name), 'total', ...(hasHeard ? ['heard'] : [])];
  const names = columns.map((name) => t(`episodes.${name}`));
  return (
    <section className={classes.section} aria-labelledby="episodes">
      <h2 id="episodes" className={classes.title}>
        {t('episodes.title')}
      </h2>
      <p className={classes.lead}>{t('episodes.text')}</p>
      <StackedTable className={classes.table} columns={names}>
        {episodes.map((episode) => (
          <tr key={episode.id}>
            <th scope="row">
              {may('episode.read') ? (
                <Link to={paths.episodeStatistics({ ...product, id: episode.id, productId: product.id })} dir="auto">
                  {episode.name}
                </Link>
              ) : (
                <span dir="auto">{episode.name}</span>
              )}
            </th>
            <td data-label={names[1]}>
              {formatDate(episode.releasedAt, locale, { dateStyle: 'medium', timeZone: zone })}
            </td>
            {STARTS.map(({ name }, i) => (
              <td key={name} data-label={names[i + 2]}>
                {startText(episode, name, { t, locale, now })}
              </td>
            ))}
            <td data-label={names[STARTS.length + 2]}>{formatNumber(episode.total, locale)}</td>
            {hasHeard && <td data-label={names.at(-1)}>{heardText(heard[episode.id], { t, locale })}</td>}
          </tr>
        ))}
      </StackedTable>
      <a className={classes.file} href={csvUrl} download aria-label={t('chart.csvOf', { title: t('episodes.title') })}>
        {t('chart.csv')}
      </a>
    </section>
  );
}
