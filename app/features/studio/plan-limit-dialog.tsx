import { Button } from '@mantine/core';
import { Link } from '@remix-run/react';
import { Dialog } from '~/app/components/confirm-dialog';
import classes from '~/app/components/dialog.module.css';
import { closePlanLimit, usePlanLimit } from '~/app/components/plan-limit';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';

/** Says what the plan does not include, and leads to people who can help. */
export function PlanLimitDialog() {
  const { t } = useTranslation('studio');
  const paths = usePaths();
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
        <Button component={Link} to={paths.contact} onClick={closePlanLimit}>
          {t('planLimit.contact')}
        </Button>
      </div>
    </Dialog>
  );
}
