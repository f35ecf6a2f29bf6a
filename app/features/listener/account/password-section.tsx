import { TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { SecondFactorState } from '~/server/domain/accounts/settings/security-page';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { ProofField } from './payout-section';
import { SectionForm } from './section-form';

const EMPTY = { currentPassword: '', password: '', code: '' };

type Props = {
  hasPassword: boolean;
  state: Pick<SecondFactorState, 'missingProof' | 'passkeys'>;
  failure?: FormFailure;
};

/** Changes the password, or sets the first one of an account that was created with Google or Facebook. */
export function PasswordSection({ hasPassword, state: { missingProof, passkeys }, failure }: Props) {
  const { t } = useTranslation('account');
  return (
    <SectionForm
      intent="password"
      title={t(hasPassword ? 'password.change' : 'password.set')}
      initial={EMPTY}
      failure={failure}
      submit={t('password.submit')}
    >
      {hasPassword && (
        <TextField
          name="currentPassword"
          type="password"
          label={t('password.current')}
          autoComplete="current-password"
          required
        />
      )}
      <TextField
        name="password"
        type="password"
        label={t('password.new')}
        help={t('password.help', { min: ACCOUNT_LIMITS.passwordMin })}
        autoComplete="new-password"
        required
      />
      {hasPassword && missingProof === 'second_factor' && (
        <ProofField proof="second_factor" hasPasskey={passkeys.length > 0} id="password-code" />
      )}
    </SectionForm>
  );
}
