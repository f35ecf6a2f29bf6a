import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { appLink, FEED_APPS, type FeedApp } from '~/server/domain/feeds/kinds';
import { CopyRow } from './copy-row';
import { EndLinkForm } from './end-link-form';
import { QrCode } from './qr-code';
import type { QrCodeData } from './qr-code.server';
import { TileIcon } from './tile-icon';

/** `note`: the reason for a new address. */
export type AppFeed = { app: FeedApp; url: string; qr: QrCodeData; note?: string | null };

type FeedLinksProps = { feeds: AppFeed[]; canReplace: boolean; open?: FeedApp | null; show?: number | null };

/**
 * The addresses of a listener's private feed, one per app. `canReplace`: the listener is logged in. `open`: the app
 * shown first. `show`: for a listener who is logged in, the show of the feed, or null for that of all shows.
 */
export function FeedLinks({ feeds, canReplace, open, show }: FeedLinksProps) {
  return (
    <div className="app-feeds">
      {feeds.map((feed, i) => (
        <AppFeedDetails
          key={feed.url}
          feed={feed}
          isOpen={open ? feed.app === open : i === 0}
          canReplace={canReplace}
          show={show}
        />
      ))}
    </div>
  );
}

type Props = { feed: AppFeed; isOpen: boolean; canReplace: boolean; show?: number | null };

function AppFeedDetails({ feed: { app, url, qr, note }, isOpen, canReplace, show }: Props) {
  const { t } = useTranslation('follow');
  const paths = usePaths();
  const { name } = FEED_APPS[app];
  const shown = name ?? t('links.other');
  return (
    <details open={isOpen || Boolean(note)}>
      <summary>
        <TileIcon name={app} />
        {shown}
      </summary>
      <div>
        {note && <p className="notice">{note}</p>}
        <a className="button" href={appLink(app, url)}>
          {name ? t('links.open', { app: name }) : t('links.openOther')}
        </a>
        <CopyRow text={url} label={t('links.address', { app: shown })} />
        <div className="scan">
          <QrCode code={qr} label={t('links.qr', { app: shown })} />
          <p className="small muted">{t('links.scan')}</p>
        </div>
        <p>
          <Link to={paths.podcatcher({ app, show })}>
            {t('links.taps')}
            <span className="hidden-visually">: {shown}</span>
          </Link>
        </p>
        {canReplace && <Replace app={app} />}
      </div>
    </details>
  );
}

/** A link instead of a form: the next page asks before it replaces the address, also without JavaScript. */
function Replace({ app }: { app: FeedApp }) {
  const { t } = useTranslation('follow');
  return (
    <p className="actions">
      <Link className="button plain slim" to={`?replace=${app}`}>
        {t('links.replace')}
        <span className="hidden-visually">: {FEED_APPS[app].name ?? t('links.other')}</span>
      </Link>
    </p>
  );
}

/** Asks whether an app's address may stop working. */
export function ConfirmReplacing({ app }: { app: FeedApp }) {
  const { t } = useTranslation('follow');
  const name = FEED_APPS[app].name ?? t('links.other');
  return (
    <EndLinkForm
      app={app}
      title={t('links.replaceTitle', { app: name })}
      help={t('links.replaceHelp')}
      confirm={t('links.replaceConfirm')}
    />
  );
}
