import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { ConsolePage, type Loaded } from './console-page';
import { type Column, ConsoleTable } from './console-table';
import { SearchForm } from './search-form';

type Found = { id: number; name: string | null };
type Props<Row> = {
  /** The searched objects, which are also the page's path below the console. */
  of: 'users' | 'creators';
  /** The label of the field for the words. */
  searchLabel: string;
  data: Loaded<{ words: string; rows: Row[] }>;
  /** The first column, whose text links to the row. */
  linked: { name: string; text: (row: Row) => string };
  others: Column<Row>[];
};

/** A page that finds people or creators by words. */
export function SearchPage<Row extends Found>({ of, searchLabel, data, linked, others }: Props<Row>) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  return (
    <ConsolePage data={data}>
      {({ words, rows }) => (
        <>
          <SearchForm label={searchLabel} words={words} />
          <ConsoleTable
            label={t(`${of}.title`)}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                name: linked.name,
                cell: (row) => <Link to={paths.admin(`/${of}/${row.id}`)}>{linked.text(row)}</Link>,
              },
              { name: t('users.name'), cell: ({ name }) => <bdi>{name}</bdi>, wraps: true },
              ...others,
            ]}
          />
        </>
      )}
    </ConsolePage>
  );
}
