import type { MouseEvent, ReactNode } from 'react';
import { AddressLink } from '~/app/components/address-link';
import { BrandStyle } from '~/app/components/brand-style';
import { Mark, SearchIcon } from '~/app/components/icons';
import { mutateProcedure } from '~/app/lib/procedures';
import { useAppUrl, useRootData } from '~/app/lib/root-data';
import { useLocation, useNavigate } from '~/app/lib/router';
import { pathInLanguage, useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { LANGUAGES, type Language } from '~/locales/languages';
import type { PageBrand } from '~/server/domain/creators/rules';
import { AccountLinks } from './account-menu';
import { SiteNotices } from './site-notices';

/** The server names the pages, so that listeners' pages load no addresses. */
export type LinkGroup = { title: string; pages: [text: string, to: string][] };
/** `brand`: of the creator whose show is bought, given or followed on the page. `links`: above the footer. */
type ShellProps = { brand?: PageBrand | null; links?: LinkGroup[]; children: ReactNode };

/** The frame of all public pages except the creators' pages. */
export function SiteShell({ brand = null, links, children }: ShellProps) {
  const { t } = useTranslation();
  return (
    <div className="site">
      <BrandStyle brand={brand} />
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <SiteNotices />
      <header className="wrap">
        <SiteHeader />
      </header>
      <main id="content">{children}</main>
      <SiteFooter groups={links} />
    </div>
  );
}

function SiteHeader() {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  return (
    <div className="site-head">
      <AddressLink className="wordmark" href={appUrl + paths.home}>
        <Mark />
        Altavoz
      </AddressLink>
      <nav aria-label={t('nav.label')}>
        <AddressLink className="quiet-link discover-link" href={appUrl + paths.discover}>
          <SearchIcon />
          <span>{t('nav.discover')}</span>
        </AddressLink>
        <AccountLinks />
      </nav>
    </div>
  );
}

type FooterProps = {
  onCreator?: boolean;
  /** The path, on the app's host, of the page that a report is about. */
  reported?: string | null;
  groups?: LinkGroup[];
};

const SITE_LINKS = ['pricing', 'blog', 'discover', 'help', 'contact'] as const;
const LEGAL_LINKS = ['terms', 'privacy', 'cookies', 'imprint', 'dataProcessing'] as const;

export function SiteFooter({ onCreator = false, reported, groups }: FooterProps) {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = useSitePaths();
  return (
    <footer className="wrap">
      {groups && (
        <nav className="site-map" aria-label={t('footer.site')}>
          {groups.map(({ title, pages }) => (
            <div key={title}>
              <p>{title}</p>
              <ul aria-label={title}>
                {pages.map(([text, to]) => (
                  <li key={text}>
                    <AddressLink href={to}>{text}</AddressLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      )}
      <div className="site-foot">
        <AddressLink href={appUrl + paths.home}>{t(onCreator ? 'footer.madeWith' : 'footer.promise')}</AddressLink>
        <nav aria-label={t('footer.legal')} className="actions">
          {[...(groups ? [] : SITE_LINKS), ...LEGAL_LINKS].map((name) => (
            <AddressLink key={name} href={appUrl + paths[name]}>
              {t(`footer.${name}`)}
            </AddressLink>
          ))}
          {reported && (
            <a href={appUrl + paths.report(reported)} rel="nofollow">
              {t('footer.report')}
            </a>
          )}
          <ConsentButton />
        </nav>
        <LanguageLinks />
      </div>
    </footer>
  );
}

/** Opens the consent bar, whose code listens for it. Without JavaScript, no service loads that needs consent. */
function ConsentButton() {
  const { t } = useTranslation();
  if (!useRootData()?.services) return null;
  return (
    <button type="button" data-consent>
      {t('footer.consent')}
    </button>
  );
}

/** Stores the chosen language and opens the page in it. Without JavaScript, the form does the same. */
function LanguageLinks() {
  const { t, language } = useTranslation();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  function choose(event: MouseEvent, other: Language) {
    event.preventDefault();
    // the URL names the language, so the page changes even if the choice cannot be stored
    mutateProcedure('accounts.chooseLanguage', { language: other }).catch(() => {});
    navigate(pathInLanguage(pathname, other) + search, { preventScrollReset: true });
  }
  return (
    <nav aria-label={t('nav.language')}>
      <form method="post" action="/language" className="actions">
        <input type="hidden" name="next" value={pathname + search} />
        {LANGUAGES.map((other) => (
          <button
            key={other}
            type="submit"
            name="language"
            value={other}
            lang={other}
            aria-current={other === language ? 'true' : undefined}
            onClick={(event) => choose(event, other)}
          >
            {t(`language.${other}`)}
          </button>
        ))}
      </form>
    </nav>
  );
}
