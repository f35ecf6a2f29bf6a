import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './moving.module.css';
import { Step } from './step';

/** The last step, because the others need the account. */
export function DeletionStep() {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  return (
    <Step title={t('deletion.title')}>
      <p className={classes.text}>{t('deletion.text')}</p>
      <p className={classes.text}>
        <Link to={paths.ownData}>{t('deletion.open')}</Link>
      </p>
    </Step>
  );
}
