import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { type Shared, ShareLinks } from './share-links';

const ShareTools = lazy(async () => ({ default: (await import('./share-tools')).ShareTools }));

/** The link to the episode. A start time and the system's share menu need JavaScript. */
export function ShareEpisode(shared: Shared) {
  const { t } = useTranslation('listening');
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // the visitor may have opened it before hydration
  useEffect(() => void setOpen(details.current?.open ?? false), []);
  const plain = (
    <>
      <ShareLinks {...shared} />
      <button type="button" className="button plain slim needs-js">
        {t('share.choose')}
      </button>
    </>
  );
  return (
    <details
      className="in-app share"
      ref={details}
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary className="button plain">{t('share')}</summary>
      <div className="panel">
        {isOpen ? (
          <Suspense fallback={plain}>
            <ShareTools {...shared} />
          </Suspense>
        ) : (
          plain
        )}
      </div>
    </details>
  );
}
