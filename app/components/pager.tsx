import { Link, useSearchParams } from '@remix-run/react';
import classes from './pager.module.css';

type Props = {
  page: number;
  pageSize: number;
  total: number;
  words: { label: string; previous: string; next: string; of: (page: number, pages: number) => string };
};

/** Pages of a list, kept in the address. */
export function Pager({ page, pageSize, total, words }: Props) {
  const [params] = useSearchParams();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  const to = (wanted: number) => {
    const next = new URLSearchParams(params);
    next.set('page', String(wanted));
    return `?${next}`;
  };
  return (
    <nav className={classes.pager} aria-label={words.label}>
      {page > 1 ? <Link to={to(page - 1)}>{words.previous}</Link> : <span aria-disabled="true">{words.previous}</span>}
      <span>{words.of(page, pages)}</span>
      {page < pages ? <Link to={to(page + 1)}>{words.next}</Link> : <span aria-disabled="true">{words.next}</span>}
    </nav>
  );
}
