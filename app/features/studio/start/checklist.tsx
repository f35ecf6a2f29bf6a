import { CircleIcon, DoneIcon } from '~/app/components/line-icons';
import { usePaths } from '~/app/lib/paths';
import { Link, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { StartState, StartStep } from '~/server/domain/accounts/base/rules';
import classes from './start.module.css';
import { stepPath } from './step-paths';

type Step = { step: StartStep; state: StartState };

/** All steps, each with its state. */
export function Checklist({ steps }: { steps: Step[] }) {
  const { t } = useTranslation('start');
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <nav aria-label={t('list')}>
      <p className={classes.count}>{t('done_of', { done, of: steps.length })}</p>
      <ol className={classes.list}>
        {steps.map((step) => (
          <li key={step.step}>
            <ChecklistItem {...step} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function ChecklistItem({ step, state }: Step) {
  const { t } = useTranslation('start');
  const { pathname } = useLocation();
  const paths = usePaths();
  const to = stepPath(paths, step);
  return (
    <Link to={to} className={classes.item} data-state={state} aria-current={pathname === to ? 'step' : undefined}>
      {state === 'done' ? <DoneIcon /> : <CircleIcon />}
      <span>
        {t(`step.${step}.title`)}
        <span className="hidden-visually"> {t(`state.${state}`)}</span>
      </span>
    </Link>
  );
}
