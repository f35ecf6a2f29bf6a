import { Form } from '@remix-run/react';
import { useTranslation } from '~/app/lib/translation';
import { appLink, FEED_APPS, type FeedApp } from '~/server/domain/feeds/kinds';
import { CopyRow } from './copy-row';
import { QrCode } from './qr-code';
import type { QrCodeData } from './qr-code.server';

export type AppFeed = { app: FeedApp; url: string; qr: QrCodeData };

/** The addresses of a listener's private feed, one per app. `canReplace`: its owner is logged in. */
export function FeedLinks({ feeds, canReplace }: { feeds: AppFeed[]; canReplace: boolean }) {
  return (
    <div className="app-feeds">
      {feeds.map((feed, i) => (
        <AppFeedDetails key={feed.url} feed={feed} isFirst={i === 0} canReplace={canReplace} />
      ))}
    </div>
  );
}

type Props = { feed: AppFeed; isFirst: boolean; canReplace: boolean };

function AppFeedDetails({ feed: { app, url, qr }, isFirst, canReplace }: Props) {
  const { t } = useTranslation('follow');
  const { name } = FEED_APPS[app];
  const shown = name ?? t('links.other');
  return (
    <details open={isFirst}>
      <summary>{shown}</summary>
      <div>
        <a className="button" href={appLink(app, url)}>
          {name ? t('links.open', { app: name }) : t('links.openOther')}
        </a>
        <CopyRow text={url} label={t('links.address', { app: shown })} />
        <div className="scan">
          <QrCode code={qr} label={t('links.qr', { app: shown })} />
          <p className="small muted">{t('links.scan')}</p>
        </div>
        {canReplace && <Replace app={app} />}
      </div>
    </details>
  );
}

function Replace({ app }: { app: FeedApp }) {
  const { t } = useTranslation('follow');
  return (
    <Form method="post" className="actions">
      <input type="hidden" name="app" value={app} />
      <button className="button plain slim" type="submit">
        {t('links.replace')}
      </button>
      <span className="small muted">{t('links.replaceHelp')}</span>
    </Form>
  );
}
