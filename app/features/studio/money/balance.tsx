import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { BalanceView } from '~/server/domain/payouts/request-payout';
import classes from './money.module.css';
import { PayoutReview, type Proof } from './payout-review';

type Props = { balance: BalanceView; failure?: FormFailure; proof: Proof; isReviewed: boolean };

/** The balance in one currency, and the way to its payout. `isReviewed`: shows the last step. */
export function BalanceSection({ balance, ...form }: Props) {
  const { t, locale } = useTranslation('money');
  const { currency, availableMinor, pendingMinor, pending } = balance;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  return (
    <Section title={currency.toUpperCase()}>
      <dl className={classes.figures}>
        <div>
          <dt>{t('available')}</dt>
          <dd>{money(availableMinor)}</dd>
        </div>
        <div>
          <dt>{t('pending')}</dt>
          <dd>{money(pendingMinor)}</dd>
          <dd className={classes.help}>{t('pendingHelp')}</dd>
        </div>
      </dl>
      {pending.length > 0 && (
        <details className={classes.pending}>
          <summary>{t('pendingDays')}</summary>
          <ul>
            {pending.map(({ minor, availableAt }) => (
              <li key={availableAt?.toISOString() ?? 'unknown'}>
                {availableAt
                  ? t('pendingOn', { amount: money(minor), date: formatDate(availableAt, locale) })
                  : t('pendingUnknown', { amount: money(minor) })}
              </li>
            ))}
          </ul>
        </details>
      )}
      {availableMinor < 0 && (
        <Alert color="yellow" variant="light">
          {t('debt')}
        </Alert>
      )}
      <Request balance={balance} {...form} />
    </Section>
  );
}

function Request({ balance, failure, proof, isReviewed }: Props) {
  const { t, locale } = useTranslation('money');
  const paths = usePaths();
  const may = useMay();
  const { currency, problem, availableMinor, thresholdMinor, nextRequestAt, destination } = balance;
  if (!may('creator.requestPayout')) return <p className={classes.soft}>{t('ownerOnly')}</p>;
  const amount = formatMoney({ minor: problem ? thresholdMinor : availableMinor, currency }, locale);
  if (problem) {
    const date = nextRequestAt ? formatDate(nextRequestAt, locale) : '';
    const isAddress = problem === 'payout.address_missing';
    return (
      <p className={classes.soft}>
        {t(`problem.${problem.replace('payout.', '')}`, { amount, date })}{' '}
        {isAddress && <Link to={paths.billingPart('payouts')}>{t('addAddress')}</Link>}
      </p>
    );
  }
  if (isReviewed) return <PayoutReview balance={balance} failure={failure} proof={proof} />;
  return (
    <>
      {destination && (
        <p className={classes.soft}>
          {t('goesTo', { destination })} <Link to={paths.billingPart('payouts')}>{t('changeAddress')}</Link>
        </p>
      )}
      <Button className={classes.request} component={Link} to={`?review=${currency}`} preventScrollReset>
        {t('review', { amount })}
      </Button>
    </>
  );
}
