import { type ComponentType, useEffect, useState } from 'react';
import { useRootData } from '~/app/lib/root-data';

/** Loads the code for consent and tracking only if the operator has set a container. */
export function LazyTracking() {
  const gtmId = useRootData()?.gtmId;
  const [Tracking, setTracking] = useState<ComponentType<{ gtmId: string }> | null>(null);
  useEffect(() => {
    // without a connection, nothing is tracked either
    if (gtmId)
      import('../tracking/tracking').then(
        (loaded) => setTracking(() => loaded.Tracking),
        () => {},
      );
  }, [gtmId]);
  return Tracking && gtmId ? <Tracking gtmId={gtmId} /> : null;
}
