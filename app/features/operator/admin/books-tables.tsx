import classes from '~/app/components/table.module.css';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { BooksView } from '~/server/domain/billing/books/differences';

type Amounts = { currency: string; oursMinor: number | null; theirsMinor: number | null };

/** The differences between the ledger and the provider's books. */
export function DifferenceTable({ differences }: Pick<BooksView, 'differences'>) {
  const { t, locale } = useTranslation('admin');
  const date = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return (
    <table className={classes.table}>
      <Head first={[t('books.thing'), t('books.when'), t('books.whose')]} />
      <tbody>
        {differences.map(({ key, at, creator, show, ...amounts }) => (
          <tr key={`${key} ${amounts.currency}`}>
            <th scope="row">{key}</th>
            <td data-label={t('books.when')}>{date.format(at)} UTC</td>
            <td data-label={t('books.whose')}>
              <bdi>{creator ?? t('books.noCreator')}</bdi>
              {show && (
                <>
                  {' · '}
                  <bdi>{show}</bdi>
                </>
              )}
            </td>
            <AmountCells {...amounts} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Both books of a month. `isAgreed`: the last comparison found no differences, so those of the month are newer. */
export function MonthTable({ shows, isAgreed }: Pick<BooksView, 'shows'> & { isAgreed: boolean }) {
  const { t } = useTranslation('admin');
  return (
    <table className={classes.table}>
      <Head first={[t('payouts.creator'), t('books.show')]} />
      <tbody>
        {shows.map(({ creator, show, ...amounts }) => (
          <tr key={`${creator} ${show} ${amounts.currency}`}>
            <th scope="row">
              <bdi>{creator ?? t('books.noCreator')}</bdi>
            </th>
            <td data-label={t('books.show')}>
              <bdi>{show ?? '–'}</bdi>
            </td>
            <AmountCells {...amounts} isAgreed={isAgreed} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ first }: { first: string[] }) {
  const { t } = useTranslation('admin');
  return (
    <thead>
      <tr>
        {[...first, t('books.ours'), t('books.theirs'), t('books.difference')].map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function AmountCells({ currency, oursMinor, theirsMinor, isAgreed }: Amounts & { isAgreed?: boolean }) {
  const { t, locale } = useTranslation('admin');
  const money = (minor: number | null) =>
    minor === null ? '–' : formatMoney({ minor, currency: currency as 'eur' }, locale);
  const differenceMinor = (oursMinor ?? 0) - (theirsMinor ?? 0);
  return (
    <>
      <td data-label={t('books.ours')}>{money(oursMinor)}</td>
      <td data-label={t('books.theirs')}>{money(theirsMinor)}</td>
      <td data-label={t('books.difference')}>
        {isAgreed && differenceMinor !== 0
          ? t('books.newer', { amount: money(differenceMinor) })
          : money(differenceMinor)}
      </td>
    </>
  );
}
