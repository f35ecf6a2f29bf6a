import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import classes from '~/app/components/dialog.module.css';
import { closePlanLimit, usePlanLimit } from '~/app/components/plan-limit';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { ContactButton } from './contact-button';

/**
 * Says that the plan lacks a feature, and links to the plans. Users with the largest plan get a link to support instead
 * (spec §2.5).
 */
export function PlanLimitDialog() {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  const { plan } = useStudio().user;
  const message = usePlanLimit();
  return (
    <Dialog open={message !== null} title={t('planLimit.title')} onClose={closePlanLimit}>
      <div className={classes.text}>
        <p>{message}</p>
      </div>
      <div className={classes.actions}>
        <Button type="button" variant="subtle" color="gray" onClick={closePlanLimit}>
          {t('planLimit.close')}
        </Button>
        {plan.code === 'PLUS' || plan.code === 'ULTRA' ? (
          <ContactButton onOpen={closePlanLimit}>{t('planLimit.contact')}</ContactButton>
        ) : (
          <Button component={Link} to={paths.plans} onClick={closePlanLimit}>
            {t('planLimit.plans')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
