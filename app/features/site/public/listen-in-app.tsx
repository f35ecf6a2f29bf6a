import { FeedIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { appLink, FEED_APP_NAMES, FEED_APPS } from '~/server/domain/feeds/kinds';
import { CopyRow } from './copy-row';
import { QrCode } from './qr-code';
import type { QrCodeData } from './qr-code.server';
import { Sheet } from './sheet';
import { TileIcon } from './tile-icon';

export type FeedInApps = { feedUrl: string; qr: QrCodeData };

/** Offers the public feed to podcast apps, to open or to copy, also on a phone nearby. Only copying needs JavaScript. */
export function ListenInApp({ feedUrl, qr }: FeedInApps) {
  const { t } = useTranslation('public');
  return (
    <Sheet id="in-app" label={t('listenInApp.title')} icon={<FeedIcon />}>
      <p className="small muted">{t('listenInApp.help')}</p>
      <ul className="tiles">
        {FEED_APP_NAMES.map((app) => (
          <li key={app}>
            <a href={appLink(app, feedUrl)}>
              <TileIcon name={app} />
              {FEED_APPS[app].name ?? t('listenInApp.other')}
            </a>
          </li>
        ))}
      </ul>
      <CopyRow text={feedUrl} label={t('listenInApp.feed')} />
      <div className="scan">
        <QrCode code={qr} label={t('listenInApp.qr')} />
        <p className="small muted">{t('listenInApp.scan')}</p>
      </div>
    </Sheet>
  );
}
