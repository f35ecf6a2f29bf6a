import { lazy, Suspense, useState } from 'react';
import { ShareIcon } from '~/app/components/icons';
import { emailLink, shareSites } from '~/app/lib/share-sites';
import { useTranslation } from '~/app/lib/translation';
import { CopyRow } from './copy-row';
import { QrCode } from './qr-code';
import type { QrCodeData } from './qr-code.server';
import { Sheet } from './sheet';
import { TileIcon } from './tile-icon';

/** `episodeId`: null for a show. `embedCode`: the player for other sites, if visitors can play it there. */
export type Shared = {
  episodeId: number | null;
  url: string;
  name: string;
  embedCode: string | null;
  qr: QrCodeData;
};

const ShareTools = lazy(async () => ({ default: (await import('./share-tools')).ShareTools }));

/** The dialog that shares a show or an episode. Only copying and a start time need JavaScript. */
export function Share({ episodeId, url, name, embedCode, qr }: Shared) {
  const { t } = useTranslation('listening');
  const [isTimed, setTimed] = useState(false);
  const plain = <CopyRow text={url} label={t('share.link')} />;
  return (
    <Sheet id="share" label={t('share')} icon={<ShareIcon />} title={t('share.title', { name })}>
      <ul className="tiles">
        {shareSites({ url, message: name }).map((site) => (
          <li key={site.name}>
            <a href={site.href} target="_blank" rel="noopener noreferrer">
              <TileIcon name={site.name} />
              {site.name}
            </a>
          </li>
        ))}
        <li>
          <a href={emailLink({ url, message: name })}>
            <TileIcon name="email" />
            {t('share.email')}
          </a>
        </li>
      </ul>
      {isTimed && episodeId !== null ? (
        <Suspense fallback={plain}>
          <ShareTools episodeId={episodeId} url={url} name={name} />
        </Suspense>
      ) : (
        plain
      )}
      {episodeId !== null && !isTimed && (
        <button type="button" className="button plain slim needs-js" onClick={() => setTimed(true)}>
          {t('share.choose')}
        </button>
      )}
      {embedCode && (
        <>
          <p className="sheet-label">{t('share.embed')}</p>
          <CopyRow text={embedCode} label={t('share.embed')} isCode />
        </>
      )}
      <div className="scan">
        <QrCode code={qr} label={t('share.qr')} />
        <p className="small muted">{t('share.scan')}</p>
      </div>
    </Sheet>
  );
}
