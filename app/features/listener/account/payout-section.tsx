import { useMemo } from 'react';
import { Alert } from '~/app/components/alert';
import { TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { BillingDetails } from '~/server/domain/accounts/settings/billing-details';
import { PasskeyProof } from './passkey-proof';
import { SectionForm } from './section-form';

/** How the user proves their identity for a change: 'missing' if the account has neither password nor second factor. */
export type PayoutProof = 'password' | 'second_factor' | 'proven' | 'missing';
type Props = { details: BillingDetails; proof: PayoutProof; hasPasskey: boolean; failure?: FormFailure };

/** The account that receives payouts. A change requires the second factor or, without one, the password. */
export function PayoutSection({ details: { iban, paypalEmail }, proof, hasPasskey, failure }: Props) {
  const { t } = useTranslation('account');
  const paths = usePaths();
  const initial = useMemo(() => initialOf(iban, paypalEmail), [iban, paypalEmail]);
  if (proof === 'missing') {
    return (
      <Section title={t('payout.title')}>
        <Alert color="blue" variant="light">
          {t('payout.passwordFirst')} <Link to={paths.security}>{t('password.set')}</Link>
        </Alert>
      </Section>
    );
  }
  return (
    <SectionForm
      intent="payout"
      title={t('payout.title')}
      initial={initial}
      failure={failure}
      submit={t('payout.save')}
    >
      <TextField name="iban" label={t('payout.iban')} help={t('payout.help')} autoComplete="off" spellCheck={false} />
      <TextField name="paypalEmail" type="email" label={t('payout.paypal')} autoComplete="off" />
      <ProofField proof={proof} hasPasskey={hasPasskey} />
    </SectionForm>
  );
}

/** After the user has proven a passkey, this form needs no further proof for ten minutes. */
export function ProofField({ proof, hasPasskey, id }: Pick<Props, 'proof' | 'hasPasskey'> & { id?: string }) {
  const { t } = useTranslation('account');
  if (proof === 'password') {
    return (
      <TextField
        name="currentPassword"
        type="password"
        label={t('password.current')}
        help={t('payout.passwordHelp')}
        autoComplete="current-password"
        required
      />
    );
  }
  if (proof !== 'second_factor') return null;
  return (
    <>
      <TextField
        name="code"
        id={id}
        label={t('payout.code')}
        help={t('payout.codeHelp')}
        autoComplete="one-time-code"
        spellCheck={false}
      />
      {hasPasskey && <PasskeyProof />}
    </>
  );
}

/** Shows an IBAN in groups of four characters, as on a bank statement. */
const initialOf = (iban: string | null, paypalEmail: string | null) => ({
  iban: iban?.replace(/(.{4})(?=.)/g, '$1 ') ?? '',
  paypalEmail: paypalEmail ?? '',
  currentPassword: '',
  code: '',
});
