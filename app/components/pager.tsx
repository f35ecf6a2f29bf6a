import { Link, useSearchParams } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './pager.module.css';

type Props = { page: number; pageSize: number; total: number };

/** Links to the previous and next page of a list. The page number is in the URL. */
export function Pager({ page, pageSize, total }: Props) {
  const { t } = useTranslation('studio');
  const [params] = useSearchParams();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  const linkTo = (number: number) => {
    const next = new URLSearchParams(params);
    next.set('page', String(number));
    return `?${next}`;
  };
  const previous = t('pager.previous');
  const next = t('pager.next');
  return (
    <nav className={classes.pager} aria-label={t('pager.label')}>
      {page > 1 ? <Link to={linkTo(page - 1)}>{previous}</Link> : <span aria-disabled="true">{previous}</span>}
      <span>{t('pager.of', { page, pages })}</span>
      {page < pages ? <Link to={linkTo(page + 1)}>{next}</Link> : <span aria-disabled="true">{next}</span>}
    </nav>
  );
}
