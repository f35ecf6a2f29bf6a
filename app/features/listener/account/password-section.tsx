import { TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { ACCOUNT_LIMITS } from '~/server/limits/accounts';
import { SectionForm } from './section-form';

const EMPTY = { currentPassword: '', password: '' };

/** Changes the password, or sets the first one of an account that was created with Google or Facebook. */
export function PasswordSection({ hasPassword, failure }: { hasPassword: boolean; failure?: FormFailure }) {
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
    </SectionForm>
  );
}
