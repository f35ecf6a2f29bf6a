import { lazy, Suspense, useState } from 'react';
import { MoreMenu } from '~/app/components/more-menu';
import type { Track } from './state';

const QueueMenu = lazy(async () => ({ default: (await import('./queue-menu')).QueueMenu }));

/** The menu of a row. Its contents load when it opens, because few visitors open one. */
export function QueueMore({ track, label }: { track: Track; label: string }) {
  const [isOpened, setOpened] = useState(false);
  return (
    <MoreMenu className="needs-js" label={label} onOpen={() => setOpened(true)}>
      {isOpened && (
        <Suspense fallback={null}>
          <QueueMenu track={track} />
        </Suspense>
      )}
    </MoreMenu>
  );
}
