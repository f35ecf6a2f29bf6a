import { Button } from '~/app/components/button';
import { useHasPasskeys } from '~/app/lib/passkeys';
import classes from './settings.module.css';
import { usePasskey } from './use-passkey';

/** A button that calls the browser's passkey API and then reloads the page's data. Needs JavaScript. */
export function PasskeyAction({ label, run }: { label: string; run: () => Promise<void> }) {
  const { isBusy, failure, start } = usePasskey(run);
  if (!useHasPasskeys()) return null;
  return (
    <div>
      <Button type="button" variant="default" loading={isBusy} onClick={start}>
        {label}
      </Button>
      {failure && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
