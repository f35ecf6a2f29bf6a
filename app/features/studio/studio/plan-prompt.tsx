import { useEffect, useState } from 'react';
import { Button } from '~/app/components/button';
import { Dialog } from '~/app/components/confirm-dialog';
import classes from '~/app/components/dialog.module.css';
import { PlanMessage } from '~/app/features/studio/plans/plan-message';
import { NEXT_PLAN, planName } from '~/app/features/studio/plans/plan-names';
import { usePlanTexts } from '~/app/features/studio/plans/use-plan-texts';
import { usePaths } from '~/app/lib/paths';
import { Link, useLocation } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { utcMonth } from '~/server/base/time';
import { PLANS, type PlanCode } from '~/server/limits/plans';
import { ContactButton } from './contact-button';
import { type ExceededLimit, useExceededLimits } from './use-exceeded-limits';

/**
 * The pop-up about the plan, once a month and browser: the larger plan to creators who exceed a limit, otherwise a
 * notice that the trial has ended (spec §4, §8). Pages about plans do not show it.
 */
export function PlanPrompt() {
  const { user } = useStudio();
  const exceeded = useExceededLimits();
  const { pathname } = useLocation();
  const paths = usePaths();
  const isWanted = user.role === 'owner' && (exceeded.length > 0 || user.plan.isPrompted);
  const [isOpen, close] = usePromptState(isWanted, `${user.id} ${user.plan.code} ${exceeded.length > 0}`);
  const isHere = [paths.plans, paths.goPaid, paths.billing].includes(pathname);
  if (!isWanted || isHere) return null;
  return exceeded.length > 0 ? (
    <Outgrown open={isOpen} exceeded={exceeded} onClose={close} />
  ) : (
    <TrialEnded open={isOpen} onClose={close} />
  );
}

const STORED_AS = 'planPrompt';

/** Opens after hydration, unless the user has closed this prompt in this month. */
function usePromptState(isWanted: boolean, name: string): [boolean, () => void] {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(isWanted && localStorage.getItem(STORED_AS) !== ofThisMonth(name));
  }, [isWanted, name]);
  const close = () => {
    localStorage.setItem(STORED_AS, ofThisMonth(name));
    setOpen(false);
  };
  return [isOpen, close];
}

const ofThisMonth = (name: string) => `${name} ${utcMonth(new Date())}`;

type Props = { open: boolean; onClose: () => void };

function TrialEnded({ open, onClose }: Props) {
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
function Outgrown({ open, onClose, exceeded }: Props & { exceeded: ExceededLimit[] }) {
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
        <Button type="button" variant="subtle" color="gray" onClick={onClose}>
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
