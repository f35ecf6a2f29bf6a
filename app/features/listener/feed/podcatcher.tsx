import { CopyRow } from '~/app/features/site/public/copy-row';
import { QrCode } from '~/app/features/site/public/qr-code';
import { TileIcon } from '~/app/features/site/public/tile-icon';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { appLink, FEED_APPS, type FeedApp } from '~/server/domain/feeds/kinds';
import type { Podcatcher as Data } from './podcatcher-data.server';
import { ScreenPicture } from './screen-picture';
import { appsOn, DEVICES, type Device, tapsFor } from './taps';

/** Asks for the device and the app, and then shows each tap that adds a private feed. */
export function Podcatcher({ data }: { data: Data }) {
  const { t } = useTranslation('podcatcher');
  const { device, app, show } = data;
  return (
    <div className="wrap feed-page podcatcher">
      <h1>{t('title')}</h1>
      <p className="lead" dir="auto">
        {show?.name ? t('leadShow', { show: show.name }) : t('lead')}
      </p>
      <Devices data={data} />
      {device && <Apps data={data} device={device} />}
      {device && app && <Steps data={data} device={device} app={app} />}
    </div>
  );
}

/** The address of the page with other choices. */
function useChoice({ device, app, show }: Data) {
  const { podcatcher } = usePaths();
  return (change: { device?: Device; app?: FeedApp }) => podcatcher({ device, app, show: show?.id, ...change });
}

function Devices({ data }: { data: Data }) {
  const { t } = useTranslation('podcatcher');
  const choose = useChoice(data);
  return (
    <section aria-labelledby="device">
      <h2 id="device">{t('device.title')}</h2>
      <ul className="choices">
        {DEVICES.map((device) => (
          <li key={device}>
            <Link
              to={`${choose({ device })}#apps`}
              className="button plain"
              aria-current={device === data.device || undefined}
            >
              {t(`device.${device}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Apps({ data, device }: { data: Data; device: Device }) {
  const { t } = useTranslation('podcatcher');
  const choose = useChoice(data);
  return (
    <section aria-labelledby="apps">
      <h2 id="apps">{t('app.title')}</h2>
      <ul className="tiles">
        {appsOn(device).map((app) => (
          <li key={app}>
            <Link to={`${choose({ app })}#taps`} aria-current={app === data.app || undefined}>
              <TileIcon name={app} />
              {FEED_APPS[app].name ?? t('app.other')}
            </Link>
          </li>
        ))}
      </ul>
      <p className="small muted">{t('app.closed')}</p>
    </section>
  );
}

type StepsProps = { data: Data; device: Device; app: FeedApp };

function Steps({ data, device, app }: StepsProps) {
  const { t } = useTranslation('podcatcher');
  const { name } = FEED_APPS[app];
  const isOnPhone = device !== 'computer';
  return (
    <section aria-labelledby="taps">
      <h2 id="taps">{name ? t('taps.title', { app: name }) : t('taps.titleOther')}</h2>
      <Address data={data} device={device} app={app} />
      <h3>{t(data.feed && isOnPhone ? 'taps.byHand' : 'taps.steps')}</h3>
      <ol className="taps">
        <li>
          <p>{name ? t('taps.copyOpen', { app: name }) : t('taps.copyOpenOther')}</p>
        </li>
        {tapsFor(app, device).map((tap) => (
          <li key={tap.name}>
            <p>{t(`taps.${tap.name}`)}</p>
            <ScreenPicture spot={tap.spot} isComputer={!isOnPhone} />
          </li>
        ))}
      </ol>
      <p>{t('taps.after')}</p>
    </section>
  );
}

/** The shortest way: a button on the phone itself, a code to scan from a computer. */
function Address({ data: { feed }, device, app }: StepsProps) {
  const { t } = useTranslation('podcatcher');
  const paths = usePaths();
  const { name } = FEED_APPS[app];
  if (!feed)
    return (
      <p className="notice">
        {t('address.none')} <Link to={paths.podcatcher({ device, app, show: null })}>{t('address.mine')}</Link>
      </p>
    );
  return (
    <>
      <p>{t(device === 'computer' ? 'address.scan' : 'address.press')}</p>
      {device !== 'computer' && (
        <p>
          <a className="button" href={appLink(app, feed.url)}>
            {name ? t('address.open', { app: name }) : t('address.openOther')}
          </a>
        </p>
      )}
      <div className={device === 'computer' ? 'scan shown' : 'scan'}>
        <QrCode code={feed.qr} label={t('address.qr')} />
        <p className="small muted">{t('address.private')}</p>
      </div>
      <CopyRow text={feed.url} label={t('address.label')} />
    </>
  );
}
