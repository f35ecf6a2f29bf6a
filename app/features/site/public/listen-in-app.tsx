import { FeedIcon } from '~/app/components/icons';
import { useTranslation } from '~/app/lib/translation';
import { appLink, FEED_APP_NAMES, FEED_APPS } from '~/server/domain/feeds/kinds';
import { CopyRow } from './copy-row';
import { QrCode } from './qr-code';
import type { QrCodeData } from './qr-code.server';

/** Offers the public feed to podcast apps, to open or to copy, also on a phone nearby. Only copying needs JavaScript. */
export function ListenInApp({ feedUrl, qr = null }: { feedUrl: string; qr?: QrCodeData | null }) {
  const { t } = useTranslation('public');
  return (
    <details className="in-app">
      <summary className="button plain">
        <FeedIcon />
        {t('listenInApp.title')}
      </summary>
      <div className="panel">
        <p className="small">{t('listenInApp.help')}</p>
        <p className="app-links">
          {FEED_APP_NAMES.map((app) => (
            <a key={app} href={appLink(app, feedUrl)}>
              {FEED_APPS[app].name ?? t('listenInApp.other')}
            </a>
          ))}
        </p>
        <CopyRow text={feedUrl} label={t('listenInApp.feed')} />
        {qr && (
          <div className="scan">
            <QrCode code={qr} label={t('listenInApp.qr')} />
            <p className="small muted">{t('listenInApp.scan')}</p>
          </div>
        )}
      </div>
    </details>
  );
}
