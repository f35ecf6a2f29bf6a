import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import classes from '~/app/components/dialog.module.css';
import { PlanMessage } from '~/app/features/studio/plans/plan-message';
import { NEXT_PLAN, planName } from '~/app/features/studio/plans/plan-names';
import { usePlanTexts } from '~/app/features/studio/plans/use-plan-texts';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { PLANS, type PlanCode } from '~/server/limits/plans';
import { ContactButton } from './contact-button';
import type { ExceededLimit } from './use-exceeded-limits';

type Props = { open: boolean; onClose: () => void };

/** The pop-up for creators whose trial has ended. */
export function TrialEnded({ open, onClose }: Props) {
  const { user } = useStudio();
  const { t } = usePlanTexts(user.currency);
  const paths = usePaths();
  return (
    <Dialog open={open} title={t('prompt.title')} onClose={onClose}>
      <div className={classes.text}>
        <p>{t('prompt.text', { freeEpisodes: PLANS.FREE.limits.freeEpisodes ?? 0 })}</p>
      </div>
      <div className={classes.actions}>
        <Button type="button" variant="subtle" color="gray" onClick={onClose}>
          {t('prompt.later')}
        </Button>
        <Button component={Link} to={paths.goPaid} onClick={onClose}>
          {t('prompt.choose')}
        </Button>
      </div>
    </Dialog>
  );
}

/** The pop-up for creators who outgrow their plan. A contract has the text of PLUS. */
export function Outgrown({ open, onClose, exceeded }: Props & { exceeded: ExceededLimit[] }) {
  const { user } = useStudio();
  const { t, gains } = usePlanTexts(user.currency);
  const paths = usePaths();
  const plan: PlanCode = exceeded[0]!.plan;
  const next = NEXT_PLAN[plan];
  const list = next ? gains(plan, next).join('\n') : '';
  return (
    <Dialog open={open} title={t('limit.title', { plan: planName(plan) })} onClose={onClose}>
      <div className={classes.text}>
        {exceeded.map(({ name, used, limit }) => (
          <p key={name}>{t(`limit.what.${name}`, { used, limit, plan: planName(plan) })}</p>
        ))}
        <PlanMessage text={t(`limit.text.${plan}`, { list })} />
      </div>
      <div className={classes.actions}>
        <Button type="button" variant="default" onClick={onClose}>
          {t('limit.later')}
        </Button>
        {next ? (
          <Button component={Link} to={paths.plans} onClick={onClose}>
            {t('limit.subscribe')}
          </Button>
        ) : (
          <ContactButton onOpen={onClose}>{t('limit.contact')}</ContactButton>
        )}
      </div>
    </Dialog>
  );
}
