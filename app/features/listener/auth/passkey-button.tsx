import { useState } from 'react';
import { askForPasskey, useHasPasskeys } from '~/app/lib/passkeys';
import { ProcedureError } from '~/app/lib/procedures';
import { useNavigation, useSubmit } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './passkey-button.module.css';

/** Logs in with a passkey of this browser, by sending the browser's answer to the page's action. Needs JavaScript. */
export function PasskeyButton() {
  const { t } = useTranslation('auth');
  const submit = useSubmit();
  const isBusy = useNavigation().state !== 'idle';
  const [state, setState] = useState<{ isAsking: boolean; failure: string | null }>({ isAsking: false, failure: null });
  if (!useHasPasskeys()) return null;

  async function logInWithPasskey() {
    if (isBusy || state.isAsking) return;
    setState({ isAsking: true, failure: null });
    try {
      const { token, response } = await askForPasskey('accounts.startPasskeyLogIn');
      setState({ isAsking: false, failure: null });
      submit({ intent: 'passkey', token, response: JSON.stringify(response) }, { method: 'post' });
    } catch (error) {
      const reason = error instanceof ProcedureError ? error.message : '';
      setState({ isAsking: false, failure: reason || t('passkey.failed') });
    }
  }

  return (
    <div className={classes.passkey}>
      <button
        type="button"
        className="button plain"
        aria-disabled={isBusy || state.isAsking}
        onClick={() => void logInWithPasskey()}
      >
        {t('passkey.use')}
      </button>
      {state.failure && (
        <p className="error" role="alert">
          {state.failure}
        </p>
      )}
    </div>
  );
}
