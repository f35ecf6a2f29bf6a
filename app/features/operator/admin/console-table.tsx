import type { ReactNode } from 'react';
import { StackedTable } from '~/app/components/stacked-table';
import table from '~/app/components/table.module.css';
import { useTranslation } from '~/app/lib/translation';
import classes from './admin.module.css';

export type Column<Row> = { name: string; cell: (row: Row) => ReactNode; wraps?: boolean };

type Props<Row> = {
  label: string;
  rows: Row[];
  keyOf: (row: Row) => string | number;
  columns: Column<Row>[];
  /** The sentence without rows. */
  empty?: string;
};

/** A table whose first column names the row. */
export function ConsoleTable<Row>({ label, rows, keyOf, columns, empty }: Props<Row>) {
  const { t } = useTranslation('admin');
  const [first, ...others] = columns;
  if (!first || rows.length === 0) return <p>{empty ?? t('nothing')}</p>;
  return (
    <StackedTable className={table.table} label={label} columns={columns.map(({ name }) => name)}>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          <th scope="row">{first.cell(row)}</th>
          {others.map(({ name, cell, wraps }) => (
            <td key={name} data-label={name} className={wraps ? classes.wrap : undefined}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </StackedTable>
  );
}
