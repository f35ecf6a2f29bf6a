import { VisuallyHidden } from '@mantine/core';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { MoveView } from '~/server/domain/moving/account-moves/queries';
import type { LeavingShow } from '~/server/domain/moving/redirects/queries';
import classes from './moving.module.css';
import { OwnAccount } from './own-account';
import { Step } from './step';

/** The paying subscribers, and what happens to their subscriptions. */
export function MoneyStep({ shows, move }: { shows: LeavingShow[]; move: MoveView }) {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  const paid = shows.filter(({ paying }) => paying > 0);
  return (
    <Step title={t('money.title')}>
      <p className={classes.text}>{t(paid.length > 0 ? 'money.text' : 'money.none')}</p>
      {paid.length > 0 && (
        <ul className={classes.shows}>
          {paid.map((show) => (
            <li key={show.id}>
              <span className={classes.show} dir="auto">
                {show.name}
              </span>
              <span className={classes.soft}>{t('money.paying', { count: show.paying })}</span>
              <Link to={paths.buyers(show)}>
                {t('money.list')}
                <VisuallyHidden>{show.name}</VisuallyHidden>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <OwnAccount move={move} />
      <p className={classes.text}>
        {t('money.balance')} <Link to={paths.money}>{t('money.payouts')}</Link>{' '}
        <Link to={paths.billing}>{t('money.billing')}</Link>
      </p>
    </Step>
  );
}
