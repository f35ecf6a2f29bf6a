import { Section } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import table from '~/app/components/table.module.css';
import { formatDateTime, formatFileSize } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Page } from '~/server/base/paging';
import type { ItemView } from '~/server/domain/rss-import/views';
import classes from './rss-import.module.css';

/** An episode of the feed, with its reasons as sentences. */
export type ListedItem = Omit<ItemView, 'reason' | 'leftOut'> & {
  reason: string | null;
  leftOut: (Pick<ItemView['leftOut'][number], 'part'> & { reason: string })[];
};

/** The episodes of an import, each with its state. */
export function ItemList({ list, productId }: { list: Page<ListedItem>; productId: number | null }) {
  const { t } = useTranslation('imports');
  if (list.total === 0) return null;
  return (
    <Section title={t('list.title')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('list.name')}</th>
            <th scope="col">{t('list.state')}</th>
            <th scope="col">{t('list.size')}</th>
          </tr>
        </thead>
        <tbody>
          {list.items.map((item) => (
            <ItemRow key={item.id} item={item} productId={productId} />
          ))}
        </tbody>
      </table>
      <Pager page={list.page} pageSize={list.pageSize} total={list.total} />
    </Section>
  );
}

function ItemRow({ item, productId }: { item: ListedItem; productId: number | null }) {
  const { t, locale } = useTranslation('imports');
  const paths = usePaths();
  const zone = useCreatorTimeZone();
  const { name, state, reason, leftOut, retryAt, episodeId, bytes } = item;
  const ref = episodeId && productId ? { id: episodeId, productId, kind: 'podcast' as const } : null;
  return (
    <tr>
      <th scope="row" dir="auto">
        {ref ? <Link to={paths.episode(ref)}>{name}</Link> : name}
        {reason && (
          <p className={classes.reason} dir="ltr">
            {reason}
            {retryAt && ` ${t('list.retry', { date: formatDateTime(new Date(retryAt), locale, zone) })}`}
          </p>
        )}
        {state !== 'waiting' &&
          leftOut.map((left) => (
            <p className={classes.reason} dir="ltr" key={left.part}>
              {t('list.leftOut', { part: t(`part.${left.part}`), reason: left.reason })}
            </p>
          ))}
      </th>
      <td data-label={t('list.state')}>{t(`state.${state}`)}</td>
      <td data-label={t('list.size')}>{bytes > 0 ? formatFileSize(bytes, locale) : '–'}</td>
    </tr>
  );
}
