import { Link, useSearchParams } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

type PagerProps = { page: number; pages?: number; hasMore?: boolean };

/** Links to the pages of a list: `?page=2`. A list that is not counted says only whether it `hasMore`. */
export function Pager({ page, pages, hasMore = page < (pages ?? 1) }: PagerProps) {
  const isShort = pages === undefined ? page === 1 && !hasMore : pages < 2;
  return isShort ? null : <PageLinks page={page} pages={pages} hasMore={hasMore} />;
}

function PageLinks({ page, pages, hasMore }: PagerProps) {
  const { t } = useTranslation('public');
  const [params] = useSearchParams();
  function at(number: number) {
    const next = new URLSearchParams(params);
    if (number === 1) next.delete('page');
    else next.set('page', String(number));
    return `?${next}`;
  }
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {page > 1 && (
        <Link className="quiet-link" to={at(page - 1)} rel="prev">
          ← {t('pager.newer')}
        </Link>
      )}
      {pages && <span className="small muted">{t('pager.of', { page, pages })}</span>}
      {hasMore && (
        <Link className="quiet-link" to={at(page + 1)} rel="next">
          {t('pager.older')} →
        </Link>
      )}
    </nav>
  );
}
