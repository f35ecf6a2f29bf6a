import { useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import classes from '~/app/components/dialog.module.css';
import { usePaths } from '~/app/lib/paths';
import { Link, useNavigate } from '~/app/lib/router';
import type { Currency } from '~/server/base/money';
import type { PlanCheckoutView } from '~/server/domain/billing/payers/start-plan';
import type { PlanCode } from '~/server/limits/plans';
import { PlanMessage } from './plan-message';
import { planName } from './plan-names';
import { usePlanTexts } from './use-plan-texts';

type Props = { checkout: PlanCheckoutView | null; started: PlanCode | null; currency: Currency };

/**
 * The message after a payment or a change: the 'congratulations' pop-up (spec §8), or a notice if no plan has started.
 */
export function StartedPlan({ checkout, started, currency }: Props) {
  const { t } = usePlanTexts(currency);
  const failed = checkout && (checkout.isRefused ? 'refused' : checkout.status === 'settled' ? null : checkout.status);
  const plan = started ?? (failed === null && checkout ? checkout.plan : null);
  if (failed)
    return (
      <Alert color={failed === 'open' ? 'blue' : 'orange'} variant="light" role="status">
        {t(`started.${failed}`)}
      </Alert>
    );
  return plan && <Congratulations plan={plan} currency={currency} />;
}

function Congratulations({ plan, currency }: { plan: PlanCode; currency: Currency }) {
  const { t, gains } = usePlanTexts(currency);
  const navigate = useNavigate();
  const paths = usePaths();
  const [isOpen, setOpen] = useState(true);
  const text = t('started.text', { plan: planName(plan), list: gains('FREE', plan).join('\n') });
  const close = () => {
    setOpen(false);
    // a reload does not show it again
    navigate(paths.plans, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <noscript>
        <Alert color="teal" variant="light" role="status" title={t('started.title')}>
          <PlanMessage text={text} />
        </Alert>
      </noscript>
      <Dialog open={isOpen} title={t('started.title')} onClose={close}>
        <div className={classes.text}>
          <PlanMessage text={text} />
        </div>
        <div className={classes.actions}>
          {plan === 'PLUS' && (
            <Button component={Link} to={paths.contact} variant="default">
              {t('started.contact')}
            </Button>
          )}
          <Button component={Link} to={paths.dashboard}>
            {t('started.go')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
