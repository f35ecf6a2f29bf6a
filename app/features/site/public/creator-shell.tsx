import type { ReactNode } from 'react';
import { BrandStyle } from '~/app/components/brand-style';
import { AccountLinks } from '~/app/features/site/site/account-menu';
import { SiteNotices } from '~/app/features/site/site/site-notices';
import { SiteFooter } from '~/app/features/site/site/site-shell';
import { Link, useLocation } from '~/app/lib/router';
import { pathOnApp, usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { CreatorCard } from './page-data.server';

type Shell = {
  creator: CreatorCard;
  head: ReactNode;
  isOwnPage?: boolean;
  /**
   * Whether the page shows something that can be reported. Errors don't: they must not tell missing pages from hidden
   * ones.
   */
  isReportable?: boolean;
  children: ReactNode;
};

/** The frame of a creator's pages: their name and colours at the top, our brand only in the footer. */
export function CreatorShell({ creator, head, isOwnPage = false, isReportable = false, children }: Shell) {
  const { t } = useTranslation();
  const paths = usePublicPaths();
  const { pathname } = useLocation();
  return (
    <div className="site">
      <BrandStyle brand={creator.brand} />
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <SiteNotices />
      <header className="masthead-top">
        <div className="wrap site-head">
          {!isOwnPage && (
            <Link className="wordmark" to={paths.creator} prefetch="intent">
              {creator.avatarSmall && (
                <img className="avatar" src={creator.avatarSmall} alt="" width={36} height={36} />
              )}
              {creator.name}
            </Link>
          )}
          <nav aria-label={t('nav.label')}>
            <AccountLinks onCreator />
          </nav>
        </div>
      </header>
      <main id="content">
        {head && (
          <div className="masthead">
            <div className="wrap">{head}</div>
          </div>
        )}
        <div className="wrap">{children}</div>
      </main>
      <SiteFooter onCreator reported={isReportable ? pathOnApp(pathname, creator.domain) : null} />
    </div>
  );
}
