import { type ComponentType, useEffect, useState } from 'react';
import { type Services, useRootData } from '~/app/lib/root-data';

/** Loads the code for consent, tracking and the chat only if the operator has set one of them. */
export function LazyTracking() {
  const services = useRootData()?.services;
  const isNeeded = services !== undefined;
  const [Tracking, setTracking] = useState<ComponentType<Services> | null>(null);
  useEffect(() => {
    // without a connection, nothing is tracked either
    if (isNeeded)
      import('../tracking/tracking').then(
        (loaded) => setTracking(() => loaded.Tracking),
        () => {},
      );
  }, [isNeeded]);
  return Tracking && services ? <Tracking {...services} /> : null;
}
