import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './insertions.module.css';

/** What campaigns would do, for creators whose plan lacks them. */
export function NotOffered({ canManage }: { canManage: boolean }) {
  const { t } = useTranslation('campaigns');
  const paths = usePaths();
  return (
    <p className={classes.notice}>
      {t('notOffered')} {canManage && <Link to={paths.plans}>{t('toPlans')}</Link>}
    </p>
  );
}
