import { Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { AddressLink } from '~/app/components/address-link';
import { Mark } from '~/app/components/icons';
import { pathInLanguage, usePaths } from '~/app/lib/paths';
import { useAppUrl, useRootData, useViewer } from '~/app/lib/root-data';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES } from '~/locales/languages';
import { SimulationBanner } from './simulation-banner';

/** The frame of all public pages except the creators' pages. */
export function SiteShell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="site">
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <SimulationBanner />
      <header className="wrap">
        <SiteHeader />
      </header>
      <main id="content">{children}</main>
      <SiteFooter />
    </div>
  );
}

function SiteHeader() {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = usePaths();
  const isLoggedIn = useViewer() !== null;
  return (
    <div className="site-head">
      <AddressLink className="wordmark" href={appUrl + paths.home}>
        <Mark />
        Altavoz
      </AddressLink>
      <nav aria-label={t('nav.label')}>
        {isLoggedIn ? (
          <AddressLink className="button plain slim" href={appUrl + paths.dashboard}>
            {t('nav.studio')}
          </AddressLink>
        ) : (
          <>
            <AddressLink className="quiet-link" href={appUrl + paths.login()}>
              {t('nav.login')}
            </AddressLink>
            <AddressLink className="button plain slim" href={appUrl + paths.register()}>
              {t('nav.register')}
            </AddressLink>
          </>
        )}
      </nav>
    </div>
  );
}

export function SiteFooter({ onCreator = false }: { onCreator?: boolean }) {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = usePaths();
  return (
    <footer className="wrap">
      <div className="site-foot">
        <AddressLink href={appUrl + paths.home}>{t(onCreator ? 'footer.madeWith' : 'footer.promise')}</AddressLink>
        <nav aria-label={t('footer.legal')} className="actions">
          {(['contact', 'terms', 'privacy'] as const).map((name) => (
            <AddressLink key={name} href={appUrl + paths[name]}>
              {t(`footer.${name}`)}
            </AddressLink>
          ))}
          <ConsentButton />
        </nav>
        <LanguageLinks />
      </div>
    </footer>
  );
}

/** Opens the consent bar, whose code listens for it. Without JavaScript, nothing is loaded that would need consent. */
function ConsentButton() {
  const { t } = useTranslation();
  if (!useRootData()?.services) return null;
  return (
    <button type="button" data-consent>
      {t('footer.consent')}
    </button>
  );
}

/** Links work without JavaScript. Their URL contains the language. */
function LanguageLinks() {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <nav aria-label={t('nav.language')} className="actions">
      {LANGUAGES.map((other) => (
        <Link
          key={other}
          to={pathInLanguage(pathname, other) + search}
          lang={other}
          hrefLang={other}
          aria-current={other === language ? 'true' : undefined}
          preventScrollReset
        >
          {t(`language.${other}`)}
        </Link>
      ))}
    </nav>
  );
}
