import { useState } from 'react';
import { Button } from '~/app/components/button';
import { EmptyState, EpisodePicture, NothingFoundPicture } from '~/app/components/empty-state';
import { Pager } from '~/app/components/pager';
import { TimeZoneNote } from '~/app/components/time-zone-note';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useIsEditor, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { BatchBar } from './batch-bar';
import { BATCH_FORM } from './batch-form';
import { EpisodeFilter } from './episode-filter';
import { type EpisodeQuery, isFiltered } from './episode-query';
import { EpisodeTableRow, type ListedEpisode } from './episode-row';
import classes from './list.module.css';
import { useBatch } from './use-batch';
import { useEpisodeListPolling } from './use-polling';

type Props = {
  product: { id: number; kind: KindName; isFree: boolean };
  episodes: { items: ListedEpisode[]; total: number; page: number; pageSize: number };
  query: EpisodeQuery;
};

/** A product's episodes: a table on wide screens, cards on phones, and actions on several of them. */
export function EpisodeTable({ product, episodes, query }: Props) {
  const { t } = useTranslation('episode');
  const { items, total, page, pageSize } = episodes;
  useEpisodeListPolling({ product, query, items });
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const listed = items.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  const isEditor = useIsEditor();
  const batch = useBatch(product, () => setSelected(new Set()));
  if (total === 0 && !isFiltered(query)) return <NoEpisodes product={product} />;
  return (
    <section aria-labelledby="episodes-title">
      <h2 className="hidden-visually" id="episodes-title">
        {t('list.title')}
      </h2>
      <EpisodeFilter query={query} />
      {total === 0 ? (
        <NothingFound />
      ) : (
        <>
          {isEditor && (
            <BatchBar
              batch={batch}
              selected={listed}
              count={items.length}
              isFree={product.isFree}
              onSelectAll={(all) => setSelected(new Set(all ? items.map(({ id }) => id) : []))}
            />
          )}
          <Rows
            items={batch.applyTo(items)}
            selected={selected}
            onSelect={isEditor ? (id, on) => setSelected(withOrWithout(selected, id, on)) : null}
          />
          <TimeZoneNote />
        </>
      )}
      <Pager page={page} pageSize={pageSize} total={total} />
    </section>
  );
}

function withOrWithout(all: ReadonlySet<number>, id: number, on: boolean): ReadonlySet<number> {
  const next = new Set(all);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

type RowsProps = {
  items: ListedEpisode[];
  selected: ReadonlySet<number>;
  /** Null for members who may not change episodes. */
  onSelect: ((id: number, on: boolean) => void) | null;
};

function Rows({ items, selected, onSelect }: RowsProps) {
  const { t } = useTranslation('episode');
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {onSelect && (
            <th scope="col">
              <span className="hidden-visually">{t('batch.select')}</span>
            </th>
          )}
          <th scope="col">{t('list.name')}</th>
          <th scope="col">{t('list.status')}</th>
          <th scope="col">{t('list.date')}</th>
          <th scope="col">{t('list.length')}</th>
          <th scope="col">{t('list.plays')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((episode) => (
          <EpisodeTableRow
            key={episode.id}
            episode={episode}
            form={BATCH_FORM}
            selected={selected.has(episode.id)}
            onSelect={onSelect && ((on) => onSelect(episode.id, on))}
          />
        ))}
      </tbody>
    </table>
  );
}

function NoEpisodes({ product }: { product: Props['product'] }) {
  const { t } = useTranslation('episode');
  const { convertsAudio } = useStudio();
  const isEditor = useIsEditor();
  const paths = usePaths();
  const create = isEditor && (
    <Button component={Link} to={paths.createEpisode(product)}>
      {t('list.first')}
    </Button>
  );
  return (
    <EmptyState
      picture={<EpisodePicture />}
      title={t(isEditor ? 'list.emptyTitle' : 'list.emptyForReaders')}
      action={create}
    >
      {isEditor && t(convertsAudio ? 'list.emptyTextAudio' : 'list.emptyText')}
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
