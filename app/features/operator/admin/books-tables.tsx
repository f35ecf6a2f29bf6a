import { StackedTable } from '~/app/components/stacked-table';
import table from '~/app/components/table.module.css';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';
import type { BooksView } from '~/server/domain/billing/books/differences';
import classes from './admin.module.css';
import { useTime } from './use-time';

type Amounts = {
  currency: string;
  oursMinor: number | null;
  theirsMinor: number | null;
  differenceMinor: number;
  uncomparedMinor?: number;
};

/** The differences between the ledger and the provider's books. */
export function DifferenceTable({ differences }: Pick<BooksView, 'differences'>) {
  const { t } = useTranslation('admin');
  const time = useTime();
  const names = ['thing', 'when', 'whose', 'ours', 'theirs', 'difference'];
  return (
    <StackedTable
      className={table.table}
      label={t('books.differences')}
      columns={names.map((name) => t(`books.${name}`))}
    >
      {differences.map(({ key, at, creatorId, creator, show, ...amounts }) => (
        <tr key={`${key} ${amounts.currency}`}>
          <th scope="row">{key}</th>
          <td data-label={t('books.when')}>{time(at)}</td>
          <td data-label={t('books.whose')}>
            <CreatorLink id={creatorId} name={creator} />
            {show && (
              <>
                {' · '}
                <bdi>{show}</bdi>
              </>
            )}
          </td>
          <AmountCells {...amounts} differenceMinor={(amounts.oursMinor ?? 0) - (amounts.theirsMinor ?? 0)} />
        </tr>
      ))}
    </StackedTable>
  );
}

/** Both books of a month. */
export function MonthTable({ shows }: Pick<BooksView, 'shows'>) {
  const { t } = useTranslation('admin');
  const hasUncompared = shows.some(({ uncomparedMinor }) => uncomparedMinor !== 0);
  const names = ['creator', 'show', 'ours', 'theirs', 'difference', ...(hasUncompared ? ['uncompared'] : [])];
  return (
    <StackedTable className={table.table} label={t('books.month')} columns={names.map((name) => t(`books.${name}`))}>
      {shows.map(({ creatorId, creator, show, uncomparedMinor, ...amounts }) => (
        <tr key={`${creator} ${show} ${amounts.currency}`}>
          <th scope="row">
            <CreatorLink id={creatorId} name={creator} />
          </th>
          <td data-label={t('books.show')}>
            <bdi>{show ?? '–'}</bdi>
          </td>
          <AmountCells {...amounts} uncomparedMinor={hasUncompared ? uncomparedMinor : undefined} />
        </tr>
      ))}
    </StackedTable>
  );
}

function CreatorLink({ id, name }: { id: number | null; name: string | null }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  if (id === null) return t('books.noCreator');
  return (
    <Link to={paths.admin(`/creators/${id}`)}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function AmountCells({ currency, oursMinor, theirsMinor, differenceMinor, uncomparedMinor }: Amounts) {
  const { t, locale } = useTranslation('admin');
  const money = (minor: number | null) =>
    minor === null ? '–' : formatMoney({ minor, currency: currency as 'eur' }, locale);
  return (
    <>
      <td data-label={t('books.ours')}>{money(oursMinor)}</td>
      <td data-label={t('books.theirs')}>{money(theirsMinor)}</td>
      <td data-label={t('books.difference')} className={differenceMinor === 0 ? undefined : classes.waiting}>
        {money(differenceMinor)}
      </td>
      {uncomparedMinor !== undefined && (
        <td data-label={t('books.uncompared')}>{uncomparedMinor === 0 ? '–' : money(uncomparedMinor)}</td>
      )}
    </>
  );
}
