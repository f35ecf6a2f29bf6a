import { TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { TWO_FACTOR } from '~/app/lib/two-factor';
import type { Proof } from '~/server/domain/accounts/second-factors/second-factor';
import type { SecondFactorState } from '~/server/domain/accounts/settings/security-page';
import { PasskeyProof } from './passkey-proof';
import { IntentForm } from './section-form';
import classes from './settings.module.css';

type Props = { state: Pick<SecondFactorState, 'passkeys'>; proof: Proof; failure?: FormFailure };

const EMPTY = { code: '', confirmationPassword: '' };

/** Asks who is using this session before it may change second factors; the answer counts for ten minutes. */
export function ConfirmIdentity({ state, proof, failure }: Props) {
  const { t } = useTranslation('account');
  return (
    <div className={classes.box}>
      <p className={classes.name}>{t('confirm.lead')}</p>
      {state.passkeys.length > 0 && <PasskeyProof />}
      <IntentForm intent="confirm" initial={EMPTY} failure={failure} submit={t('confirm.submit')} anchor={TWO_FACTOR}>
        {proof === 'password' ? (
          <TextField
            name="confirmationPassword"
            type="password"
            label={t('confirm.password')}
            autoComplete="current-password"
            required
          />
        ) : (
          <TextField
            name="code"
            label={t('confirm.code')}
            help={t('confirm.codeHelp')}
            autoComplete="one-time-code"
            spellCheck={false}
            required
          />
        )}
      </IntentForm>
    </div>
  );
}
