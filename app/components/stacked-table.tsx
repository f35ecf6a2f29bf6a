import type { ReactNode } from 'react';

type Props = {
  className?: string;
  label?: string;
  /** The names of the columns. Cells repeat them in `data-label`. */
  columns: string[];
  children: ReactNode;
};

/** A table on wide screens, cards on phones (table.module.css). */
export function StackedTable({ className, label, columns, children }: Props) {
  return (
    <table className={className} aria-label={label}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
