import { useEffect, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import classes from './page-header.module.css';

/** The value once it stood still for a moment: what is being typed is not asked about letter by letter. */
export function useDebounced(value: string, pauseMs = 350): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

type Props = { address: string; state: 'unknown' | 'asking' | 'free' | 'own' | 'taken'; reason?: string | null };

/** The address that a domain or slug makes, and whether it can be had. */
export function AddressAvailability({ address, state, reason }: Props) {
  const { t } = useTranslation('studio');
  const { t: say } = useTranslation('errors');
  return (
    <span className={classes.hint} role="status">
      <span style={{ overflowWrap: 'anywhere' }}>{address}</span>
      {state === 'asking' && <> · {t('address.checking')}</>}
      {state === 'free' && <span className={classes.good}> · {t('address.free')}</span>}
      {state === 'taken' && <span className={classes.bad}> · {reason ? say(reason) : t('address.taken')}</span>}
    </span>
  );
}
