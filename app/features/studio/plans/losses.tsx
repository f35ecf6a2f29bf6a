import type { Loss } from '~/server/domain/plans/rules';
import type { PlanCode } from '~/server/limits/plans';
import { planName } from './plan-names';
import classes from './plans.module.css';
import type { PlanTexts } from './use-plan-texts';

/** The features and limits that another plan takes away, given the current usage. */
export function Losses({ losses, to, texts }: { losses: Loss[]; to: PlanCode; texts: PlanTexts }) {
  const { t } = texts;
  if (losses.length === 0) return <p className={classes.quiet}>{t('losses.none')}</p>;
  return (
    <section className={classes.losses}>
      <h3>{t('losses.title')}</h3>
      <ul>
        {losses.map((loss) => (
          <li key={loss.type === 'feature' ? loss.feature : loss.type === 'limit' ? loss.limit : 'fee'}>
            {textOf(loss, to, texts)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function textOf(loss: Loss, to: PlanCode, { t, fee }: PlanTexts): string {
  if (loss.type === 'feature') return t('losses.feature', { name: t(`row.${loss.feature}`) });
  if (loss.type === 'limit') {
    const { limit, used, allowed } = loss;
    const facts = { name: t(`row.${limit}`), used, allowed, plan: planName(to) };
    if (limit === 'paidSubscribers') return t('losses.sellers', { used });
    if (limit === 'plays') return t('losses.plays', facts);
    if (limit === 'subscribers') return t('losses.listeners', facts);
    return t('losses.limit', facts);
  }
  return t('gain.limit', { name: t('row.commission'), value: fee(loss) });
}
