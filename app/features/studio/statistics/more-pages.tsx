import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './statistics.module.css';

/** The pages beside a show's statistics: the last hour, and the links for sponsors. */
export function MorePages({ product }: { product: { id: number; kind: KindName } }) {
  const { t } = useTranslation('statistics');
  const paths = usePaths();
  const isEditor = useIsEditor();
  return (
    <nav className={classes.choices} aria-label={t('more.label')}>
      <p className={classes.note}>
        <Link to={paths.liveStatistics(product)}>{t('live.link')}</Link>
        {isEditor && (
          <>
            {' · '}
            <Link to={paths.sponsorLinks(product)}>{t('sponsors.link')}</Link>
          </>
        )}
      </p>
    </nav>
  );
}
