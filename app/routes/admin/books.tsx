import { Section } from '~/app/components/page-header';
import classes from '~/app/features/operator/admin/admin.module.css';
import { DifferenceTable, MonthTable } from '~/app/features/operator/admin/books-tables';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { useTime } from '~/app/features/operator/admin/use-time';
import { monthName } from '~/app/lib/month-name';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { Link, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { utcMonth } from '~/server/base/time';
import type { BooksView } from '~/server/domain/billing/books/differences';

export const loader = operatorPage('books.title', async ({ api, url }) => {
  const books = await api.operators.books({ month: url.searchParams.get('month') ?? undefined });
  return { ...books, isLatest: books.month >= utcMonth(new Date()) };
});

export const action = operatorAction({});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Books() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  return (
    <ConsolePage data={data} lead={t('books.lead')}>
      {(books) => <FoundBooks books={books} />}
    </ConsolePage>
  );
}

function FoundBooks({ books }: { books: BooksView & { isLatest: boolean } }) {
  const { t, locale } = useTranslation('admin');
  const time = useTime();
  const { last, differences, month, shows, isLatest } = books;
  if (!last) return <p>{t('books.never')}</p>;
  return (
    <>
      <Section title={t('books.differences')}>
        {differences.length === 0 ? (
          <p>{t('books.none', { date: time(last.finishedAt) ?? '' })}</p>
        ) : (
          <>
            <p>{t('books.last', { date: time(last.finishedAt) ?? '' })}</p>
            <DifferenceTable differences={differences} />
          </>
        )}
      </Section>
      <div className={classes.section}>
        <Section title={monthName(month, locale)}>
          {shows.length === 0 ? <p>{t('books.noMonth')}</p> : <MonthTable shows={shows} />}
          {shows.some(({ uncomparedMinor }) => uncomparedMinor !== 0) && <p>{t('books.uncomparedHelp')}</p>}
          <p className={classes.actions}>
            <Link to={`?month=${monthBeside(month, -1)}`}>{t('books.earlier')}</Link>
            {!isLatest && <Link to={`?month=${monthBeside(month, 1)}`}>{t('books.later')}</Link>}
          </p>
        </Section>
      </div>
    </>
  );
}

function monthBeside(month: string, step: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7);
}
