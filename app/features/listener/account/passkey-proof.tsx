import { askForPasskey } from '~/app/lib/passkeys';
import { mutateProcedure } from '~/app/lib/procedures';
import { useTranslation } from '~/app/lib/translation';
import { PasskeyAction } from './passkey-action';

/** Proves with a passkey who is using this session. */
export function PasskeyProof() {
  const { t } = useTranslation('account');
  return (
    <PasskeyAction
      label={t('confirm.passkey')}
      run={async () => {
        await mutateProcedure('accounts.confirmWithPasskey', await askForPasskey('accounts.startPasskeyConfirmation'));
      }}
    />
  );
}
