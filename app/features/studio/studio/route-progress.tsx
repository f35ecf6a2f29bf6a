import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './shell.module.css';

const DELAY_MS = 300;

/** The full-screen spinner of spec §2.4, shown only for route changes longer than 300 ms. */
export function RouteProgress() {
  const { t } = useTranslation('studio');
  const here = useLocation().pathname;
  const { state, location } = useNavigation();
  const isLeaving = state === 'loading' && location.pathname !== here;
  const [isVisible, setVisible] = useState(false);

  useEffect(() => {
    if (!isLeaving) return setVisible(false);
    const timer = setTimeout(() => setVisible(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isLeaving]);

  if (!isVisible) return null;
  return (
    <div className={classes.overlay} role="status" aria-label={t('loading')}>
      <Loader />
    </div>
  );
}
