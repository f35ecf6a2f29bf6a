import { Button } from '@mantine/core';
import { Link } from '@remix-run/react';
import { EmptyState, EpisodePicture, NothingFoundPicture } from '~/app/components/empty-state';
import { Pager } from '~/app/components/pager';
import { SectionTitle } from '~/app/components/section-title';
import { formatClock } from '~/app/lib/clock';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus, EpisodeType } from '~/server/domain/episodes/rules';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './episode.module.css';
import { EpisodeFilter } from './episode-filter';
import { type EpisodeQuery, isFiltered } from './episode-query';
import { StatusBadge } from './status-badge';
import { useEpisodeListPolling } from './use-polling';

type Row = {
  id: number;
  kind: KindName;
  productId: number;
  name: string;
  status: EpisodeStatus;
  type: EpisodeType;
  releaseDate: Date | null;
  durationSeconds: number | null;
  plays: number;
};
type Props = {
  product: { id: number; kind: KindName };
  episodes: { items: Row[]; total: number; page: number; pageSize: number };
  query: EpisodeQuery;
};

/** A product's episodes: a table on wide screens, cards on phones. */
export function EpisodeList({ product, episodes, query }: Props) {
  const { t } = useTranslation('episode');
  const { items, total, page, pageSize } = episodes;
  useEpisodeListPolling({ product, query, items });
  if (total === 0 && !isFiltered(query)) return <NoEpisodes product={product} />;
  return (
    <section aria-labelledby="episodes-title">
      <SectionTitle id="episodes-title">{t('list.title')}</SectionTitle>
      <EpisodeFilter query={query} />
      {total === 0 ? <NothingFound /> : <Rows items={items} />}
      <Pager page={page} pageSize={pageSize} total={total} />
    </section>
  );
}

function Rows({ items }: { items: Row[] }) {
  const { t } = useTranslation('episode');
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('list.name')}</th>
          <th scope="col">{t('list.status')}</th>
          <th scope="col">{t('list.date')}</th>
          <th scope="col">{t('list.length')}</th>
          <th scope="col">{t('list.plays')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((episode) => (
          <EpisodeRow key={episode.id} episode={episode} />
        ))}
      </tbody>
    </table>
  );
}

function EpisodeRow({ episode }: { episode: Row }) {
  const { t, language } = useTranslation('episode');
  const { user } = useStudio();
  const paths = usePaths();
  const { releaseDate, durationSeconds, plays } = episode;
  return (
    <tr>
      <th scope="row">
        <Link to={paths.episode(episode)} prefetch="intent">
          {episode.name}
        </Link>
        {episode.type !== 'public' && <span className={classes.type}>{t(`type.${episode.type}`)}</span>}
      </th>
      <td>
        <StatusBadge episode={episode} />
      </td>
      <td data-label={t('list.date')}>
        {releaseDate ? formatDateTime(releaseDate, language, user.creator?.timeZone ?? 'UTC') : t('list.noDate')}
      </td>
      <td data-label={t('list.length')}>{durationSeconds === null ? '–' : formatClock(Math.round(durationSeconds))}</td>
      <td data-label={t('list.plays')}>{new Intl.NumberFormat(language).format(plays)}</td>
    </tr>
  );
}

function NoEpisodes({ product }: { product: Props['product'] }) {
  const { t } = useTranslation('episode');
  const paths = usePaths();
  const create = (
    <Button component={Link} to={paths.createEpisode(product)}>
      {t('list.first')}
    </Button>
  );
  return (
    <EmptyState picture={<EpisodePicture />} title={t('list.emptyTitle')} action={create}>
      {t('list.emptyText')}
    </EmptyState>
  );
}

function NothingFound() {
  const { t } = useTranslation('episode');
  const all = (
    <Button component={Link} to="?" variant="default">
      {t('list.showAll')}
    </Button>
  );
  return <EmptyState picture={<NothingFoundPicture />} title={t('list.nothingFound')} action={all} />;
}
