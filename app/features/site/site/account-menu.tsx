import { AddressLink } from '~/app/components/address-link';
import { type RootData, useAppUrl, useRootData, useViewer } from '~/app/lib/root-data';
import { useLocation } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

const MENU = 'account-menu';

/** The way into the account, on every host: the session's cookie belongs to all of them (docs/decisions/0313). */
export function AccountLinks({ onCreator = false }: { onCreator?: boolean }) {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  const viewer = useViewer();
  const here = useHere();
  if (viewer) return <Menu viewer={viewer} />;
  return (
    <>
      <AddressLink className="quiet-link" href={appUrl + paths.login(onCreator ? here : undefined)}>
        {t('nav.login')}
      </AddressLink>
      {!onCreator && (
        <AddressLink className="button plain slim" href={appUrl + paths.register()}>
          {t('nav.register')}
        </AddressLink>
      )}
    </>
  );
}

/** The address of this page, to which a log-in leads back. */
function useHere(): string {
  const { pathname } = useLocation();
  return (useRootData()?.origin ?? '') + pathname;
}

/** Opens without a script, and closes by Escape or a press elsewhere. */
function Menu({ viewer }: { viewer: NonNullable<RootData['viewer']> }) {
  const { t } = useTranslation();
  const { key } = useLocation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  // React 18 has no types for popovers
  const opens = { popovertarget: MENU };
  const popover = { popover: 'auto' };
  const link = (href: string, name: string) => (
    <li>
      <AddressLink href={href}>{t(`nav.${name}`)}</AddressLink>
    </li>
  );
  return (
    <>
      <AddressLink
        className="button plain slim wide-only"
        href={appUrl + (viewer.usesStudio ? paths.dashboard : paths.myFeed)}
      >
        {t(viewer.usesStudio ? 'nav.studio' : 'nav.feed')}
      </AddressLink>
      <button type="button" className="account" {...opens} aria-label={t('nav.account', { name: viewer.name })}>
        {viewer.avatar ? (
          <img className="avatar" src={viewer.avatar} alt="" width={40} height={40} />
        ) : (
          <span aria-hidden="true">{[...viewer.name][0]?.toUpperCase()}</span>
        )}
      </button>
      <div id={MENU} className="account-menu" key={key} {...popover}>
        <p dir="auto">
          <strong>{viewer.name}</strong>
        </p>
        <ul>
          {link(appUrl + paths.myFeed, 'feed')}
          {link(paths.saved, 'saved')}
          {link(appUrl + paths.subscriptions, 'subscriptions')}
          {viewer.usesStudio ? link(appUrl + paths.dashboard, 'studio') : link(appUrl + paths.claimPage, 'createShow')}
          {link(appUrl + paths.discover, 'discover')}
          {link(appUrl + paths.profile, 'settings')}
        </ul>
        <LogOut />
      </div>
    </>
  );
}

/** Another host may not post to the app, so its pages lead to a page with the button. */
function LogOut() {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  if (appUrl !== '') return <a href={appUrl + paths.logout}>{t('nav.logout')}</a>;
  return (
    // a new document discards this one's memory, and stops the player
    <form method="post" action={paths.logout}>
      <button type="submit">{t('nav.logout')}</button>
    </form>
  );
}
