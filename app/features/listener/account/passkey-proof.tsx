import { useTranslation } from '~/app/lib/translation';
import { confirmWithPasskey } from './confirm-with-passkey';
import { PasskeyAction } from './passkey-action';

/** Proves with a passkey who is using this session. */
export function PasskeyProof() {
  const { t } = useTranslation('account');
  return <PasskeyAction label={t('confirm.passkey')} run={confirmWithPasskey} />;
}
