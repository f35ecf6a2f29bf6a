import { useEffect, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import classes from './page-header.module.css';

/** The value after a pause in typing, so that the browser does not ask the server at each letter. */
export function useDebounced(value: string, pauseMs = 350): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

type Props = { address: string; state: 'unknown' | 'checking' | 'free' | 'taken'; reason?: string | null };

/** Shows the address that a domain or slug makes, and whether it is available. */
export function AddressAvailability({ address, state, reason }: Props) {
  const { t } = useTranslation('studio');
  const { t: tError } = useTranslation('errors');
  return (
    <span className={classes.hint} role="status">
      <span style={{ overflowWrap: 'anywhere' }}>{address}</span>
      {/* without JavaScript, no request checks the address */}
      {state === 'checking' && <span data-needs-script> · {t('address.checking')}</span>}
      {state === 'free' && <span className={classes.good}> · {t('address.free')}</span>}
      {state === 'taken' && <span className={classes.bad}> · {reason ? tError(reason) : t('address.taken')}</span>}
    </span>
  );
}
