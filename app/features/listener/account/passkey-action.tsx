import { useState } from 'react';
import { Button } from '~/app/components/button';
import { useHasPasskeys } from '~/app/lib/passkeys';
import { ProcedureError } from '~/app/lib/procedures';
import { useRevalidator } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './settings.module.css';

/** A button that calls the browser's passkey API and then reloads the page's data. Needs JavaScript. */
export function PasskeyAction({ label, run }: { label: string; run: () => Promise<void> }) {
  const { t } = useTranslation('account');
  const { revalidate } = useRevalidator();
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({ isBusy: false, failure: null });
  if (!useHasPasskeys()) return null;

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

  return (
    <div>
      <Button type="button" variant="default" loading={state.isBusy} onClick={() => void start()}>
        {label}
      </Button>
      {state.failure && (
        <p className={classes.failure} role="alert">
          {state.failure}
        </p>
      )}
    </div>
  );
}
