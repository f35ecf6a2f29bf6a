import { useMemo } from 'react';
import { Alert } from '~/app/components/alert';
import { type PayoutProof, ProofField } from '~/app/features/listener/account/payout-section';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { BalanceView } from '~/server/domain/payouts/request-payout';
import classes from './money.module.css';

/** The proof of identity of an owner. A first payout to an address needs more than a session. */
export type Proof = { kind: PayoutProof; hasPasskey: boolean };

type Props = { balance: BalanceView; failure?: FormFailure; proof: Proof };

/** What a payout sends where and when, before the request that can't be taken back. */
export function PayoutReview({ balance, failure, proof }: Props) {
  const { t, locale } = useTranslation('money');
  const paths = usePaths();
  const { currency, availableMinor: minor, destination, expectedOn, isFirst } = balance;
  const amount = formatMoney({ minor, currency }, locale);
  const initial = useMemo(() => ({ code: '', currentPassword: '' }), []);
  const facts = [
    ['amount', amount],
    ['to', destination],
    ['fees', t('review.noFees')],
    ['expected', t('review.from', { date: formatDate(expectedOn, locale) })],
  ] as const;
  const needed = proof.kind === 'second_factor' || isFirst ? proof.kind : 'proven';
  return (
    <div className={classes.review}>
      <h3>{t('review.title')}</h3>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`review.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.soft}>{t('review.final')}</p>
      {isFirst && <p className={classes.soft}>{t('review.first')}</p>}
      {needed === 'missing' ? (
        <Alert color="blue" variant="light">
          {t('review.setPassword')} <Link to={paths.security}>{t('review.toSecurity')}</Link>
        </Alert>
      ) : (
        <IntentForm intent={currency} initial={initial} failure={failure} submit={t('request', { amount })}>
          <ProofField proof={needed} hasPasskey={proof.hasPasskey} />
        </IntentForm>
      )}
      <p>
        <Link to={paths.money}>{t('review.back')}</Link>
      </p>
    </div>
  );
}
