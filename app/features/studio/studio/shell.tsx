import { type ReactNode, useEffect, useState } from 'react';
import { CloseIcon, Mark } from '~/app/components/icons';
import { SiteNotices } from '~/app/features/site/site/site-notices';
import { kindInPath, usePaths } from '~/app/lib/paths';
import { Link, NavLink, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import {
  CalendarIcon,
  ChartIcon,
  ConsoleIcon,
  EditIcon,
  HeartIcon,
  HomeIcon,
  InsertionIcon,
  MailIcon,
  MenuIcon,
  MoneyIcon,
  PageIcon,
  PeopleIcon,
  ProductsIcon,
  SettingsIcon,
  TagIcon,
} from '../../../components/line-icons';
import { useIsEditor, useMay, useStudio } from '../../../lib/studio-context';
import { Announcements } from './announcements';
import { CreatorSwitcher } from './creator-switcher';
import { PlanNotice } from './plan-notice';
import { ProductSwitcher } from './product-switcher';
import { QuickDialogs, SearchButton } from './quick-access';
import classes from './shell.module.css';
import { ShellFooter } from './shell-footer';
import type { QuickDialog } from './use-shortcuts';
import { VerifyBar } from './verify-bar';

/** Without JavaScript, links to this ID open the navigation on phones. */
const NAVBAR = 'studio-nav';

/** The studio's frame: a side navigation and one content column. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('studio');
  const [open, setOpen] = useState(false);
  const [quick, setQuick] = useState<QuickDialog | null>(null);
  const { pathname } = useLocation();
  useEffect(() => void setOpen(false), [pathname]);
  useEscape(open, () => setOpen(false));

  return (
    <div className={classes.shell} data-open={open || undefined}>
      <a href="#content" className={classes.skip}>
        {t('nav.skip')}
      </a>
      <header className={classes.header}>
        <button
          type="button"
          className={classes.burger}
          onClick={() => setOpen(!open)}
          data-needs-script
          aria-label={t(open ? 'nav.close' : 'nav.open')}
          aria-expanded={open}
          aria-controls={NAVBAR}
        >
          {open ? <CloseIcon /> : <MenuIcon />}
        </button>
        <Brand />
        <SearchButton small onOpen={() => setQuick('palette')} />
        <noscript>
          <a href={`#${NAVBAR}`} className={classes.menu}>
            {t('nav.open')}
          </a>
        </noscript>
      </header>
      <button
        type="button"
        className={classes.veil}
        onClick={() => setOpen(false)}
        tabIndex={-1}
        aria-label={t('nav.close')}
      />
      <nav className={classes.navbar} id={NAVBAR}>
        <noscript>
          <a href="#content" className={classes.menu}>
            {t('nav.close')}
          </a>
        </noscript>
        <Brand />
        <SearchButton onOpen={() => setQuick('palette')} />
        <CreatorSwitcher />
        <ProductSwitcher />
        <Sections />
        <ShellFooter />
      </nav>
      <main className={classes.main}>
        <SiteNotices />
        <Announcements />
        <PlanNotice />
        <VerifyBar />
        <div className={classes.content} id="content" tabIndex={-1}>
          {children}
        </div>
      </main>
      <QuickDialogs open={quick} onOpen={setQuick} />
    </div>
  );
}

function Brand() {
  const paths = usePaths();
  return (
    <Link to={paths.dashboard} className={classes.brand}>
      <Mark />
      Altavoz
    </Link>
  );
}

function Sections() {
  const { t } = useTranslation('studio');
  const { user } = useStudio();
  const isEditor = useIsEditor();
  const may = useMay();
  const paths = usePaths();
  const { pathname } = useLocation();
  const inProducts = pathname.startsWith(paths.products) || kindInPath(pathname) !== null;
  // also its settings and previews, whose paths begin like its own
  const inNewsletter = pathname.startsWith(paths.newsletter);
  const inSettings = [paths.profile, paths.billing, paths.plans].some((path) => pathname.startsWith(path));
  return (
    <nav className={classes.nav} aria-label={t('nav.label')}>
      <NavLink to={paths.dashboard} className={classes.link} prefetch="intent">
        <HomeIcon />
        {t('nav.home')}
      </NavLink>
      {user.creator && (
        <Link
          to={paths.products}
          className={classes.link}
          prefetch="intent"
          aria-current={inProducts ? 'page' : undefined}
        >
          <ProductsIcon />
          {t('nav.products')}
        </Link>
      )}
      {may('episode.read') && (
        <NavLink to={paths.calendar} className={classes.link} prefetch="intent">
          <CalendarIcon />
          {t('nav.calendar')}
        </NavLink>
      )}
      {may('campaign.read') && (
        <NavLink to={paths.allInsertions} className={classes.link} prefetch="intent">
          <InsertionIcon />
          {t('nav.insertions')}
        </NavLink>
      )}
      {may('creator.readStatistics') && (
        <NavLink to={paths.allStatistics} className={classes.link} prefetch="intent">
          <ChartIcon />
          {t('nav.statistics')}
        </NavLink>
      )}
      {(isEditor || (!user.creator && !user.isOperator)) && (
        <NavLink to={paths.creatorPage} className={classes.link} prefetch="intent">
          <PageIcon />
          {t(user.creator ? 'nav.page' : 'nav.claim')}
        </NavLink>
      )}
      {user.creator && may('creator.readDonations') && (
        <NavLink to={paths.donors(user.creator.id)} className={classes.link} prefetch="intent">
          <HeartIcon />
          {t('nav.donations')}
        </NavLink>
      )}
      {user.creator && may('creator.manageContacts') && (
        <NavLink to={paths.audience} className={classes.link} prefetch="intent">
          <MailIcon />
          {t('nav.audience')}
        </NavLink>
      )}
      {user.creator && may('creator.manageNewsletter') && (
        <Link
          to={paths.newsletter}
          className={classes.link}
          prefetch="intent"
          aria-current={inNewsletter ? 'page' : undefined}
        >
          <EditIcon />
          {t('nav.newsletter')}
        </Link>
      )}
      {may('creator.readCoupons') && (
        <NavLink to={paths.coupons} className={classes.link} prefetch="intent">
          <TagIcon />
          {t('nav.coupons')}
        </NavLink>
      )}
      {may('creator.readPayouts') && (
        <NavLink to={paths.money} className={classes.link} prefetch="intent">
          <MoneyIcon />
          {t('nav.money')}
        </NavLink>
      )}
      {user.creator && (
        <NavLink to={paths.team} className={classes.link} prefetch="intent">
          <PeopleIcon />
          {t('nav.team')}
        </NavLink>
      )}
      <Link
        to={paths.profile}
        className={classes.link}
        prefetch="intent"
        aria-current={inSettings ? 'page' : undefined}
      >
        <SettingsIcon />
        {t('nav.settings')}
      </Link>
      {user.isOperator && (
        <NavLink to={paths.admin()} className={classes.link}>
          <ConsoleIcon />
          {t('nav.console')}
        </NavLink>
      )}
    </nav>
  );
}

function useEscape(active: boolean, then: () => void) {
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => event.key === 'Escape' && then();
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [active, then]);
}
