import { useState } from 'react';
import { ProcedureError } from '~/app/lib/procedures';
import { useRevalidator } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** Calls the browser's passkey API and then reloads the page's data. */
export function usePasskey(run: () => Promise<void>) {
  const { t } = useTranslation('account');
  const { revalidate } = useRevalidator();
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({ isBusy: false, failure: null });

  async function start() {
    setState({ isBusy: true, failure: null });
    try {
      await run();
      setState({ isBusy: false, failure: null });
    } catch (error) {
      const reason = error instanceof ProcedureError ? error.message : '';
      setState({ isBusy: false, failure: reason || t('passkeys.failed') });
    }
    // also after a failure, because a confirmation may have expired
    revalidate();
  }

  return { ...state, start: () => void start() };
}
