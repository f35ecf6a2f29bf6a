import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from '~/app/lib/translation';
import { type Shared, ShareLinks } from './share-links';

const ShareTools = lazy(async () => ({ default: (await import('./share-tools')).ShareTools }));

/** The link of the episode. Choosing a time and the system's own list of apps need JavaScript. */
export function ShareEpisode(shared: Shared) {
  const { t } = useTranslation('listening');
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // it may have been opened before the page was hydrated
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
