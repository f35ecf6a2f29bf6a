import { useEffect, useState } from 'react';
import { usePaths } from '~/app/lib/paths';
import { useLocation } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { utcMonth } from '~/server/base/time';
import { PlanBanner } from './plan-banner';
import { Outgrown, TrialEnded } from './plan-prompt';
import { useExceededLimits } from './use-exceeded-limits';

/**
 * The pop-up about the plan, once a month and browser: the larger plan to creators who exceed a limit, otherwise a
 * notice that the trial has ended (spec §4, §8). Pages about plans do not show it. The banner says the same about the
 * limit, so it follows when the pop-up is closed.
 */
export function PlanNotice() {
  const { user } = useStudio();
  const exceeded = useExceededLimits();
  const { pathname } = useLocation();
  const paths = usePaths();
  const isExceeded = exceeded.length > 0;
  const isWanted = user.role === 'owner' && (isExceeded || user.plan.isPrompted);
  const [isOpen, close] = usePromptState(isWanted, `${user.id} ${user.plan.code} ${isExceeded}`);
  const isAboutPlans = [paths.plans, paths.goPaid].includes(pathname) || pathname.startsWith(paths.billing);
  const mayPrompt = isWanted && !isAboutPlans;
  const Prompt = isExceeded ? Outgrown : TrialEnded;
  return (
    <>
      {isExceeded && !(mayPrompt && isOpen) && <PlanBanner exceeded={exceeded} />}
      {mayPrompt && <Prompt open={isOpen} exceeded={exceeded} onClose={close} />}
    </>
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
