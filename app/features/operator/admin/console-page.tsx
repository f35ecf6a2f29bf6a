import type { ReactNode } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { ConfirmIdentity } from '~/app/features/listener/account/confirm-identity';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, NavLink, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Proof } from '~/server/domain/accounts/second-factors/second-factor';
import type { SecondFactorState } from '~/server/domain/accounts/settings/security-page';
import classes from './admin.module.css';

export type Loaded<Found> = {
  title: string;
  needsSetUp: boolean;
  confirming: { proof: Proof; state: SecondFactorState } | null;
  found: Found | null;
};

type Props<Found> = {
  data: Loaded<Found>;
  lead?: string;
  failure?: FormFailure;
  children: (found: Found) => ReactNode;
};

/** A page of the operators' console, which requires a second factor. */
export function ConsolePage<Found>({ data, lead, failure, children }: Props<Found>) {
  const { title, needsSetUp, confirming, found } = data;
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const isOfPage = failure && failure.values.intent !== 'confirm';
  return (
    <>
      <PageHeader title={title} lead={lead} />
      {found !== null && <ConsoleTabs />}
      {isOfPage && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      {needsSetUp && (
        <div className={classes.stacked}>
          <p>{t('proof.setUp')}</p>
          <Button component={Link} to={paths.security}>
            {t('proof.toSecurity')}
          </Button>
        </div>
      )}
      {confirming && <ConfirmIdentity {...confirming} failure={failure} />}
      {found !== null && children(found)}
    </>
  );
}

const GROUPS = {
  people: ['users', 'creators'],
  content: ['reports', 'take-downs', 'featured', 'imports'],
  money: ['payouts', 'books'],
  operation: ['jobs', 'mail', 'flags', 'announcements'],
};

/** The groups of pages, and the pages of the current group below. */
function ConsoleTabs() {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const { pathname } = useLocation();
  const isBelow = (name: string) => `${pathname}/`.startsWith(`${paths.admin(`/${name}`)}/`);
  const groups = Object.entries(GROUPS);
  const [current, pages = []] = groups.find(([, names]) => names.some(isBelow)) ?? [];
  return (
    <>
      <nav className={classes.tabs} aria-label={t('tabs.label')} data-has-pages={pages.length > 0 || undefined}>
        <NavLink to={paths.admin()} end>
          {t('tabs.overview')}
        </NavLink>
        {groups.map(([name, [first]]) => (
          <Link key={name} to={paths.admin(`/${first}`)} aria-current={name === current ? 'page' : undefined}>
            {t(`tabs.groups.${name}`)}
          </Link>
        ))}
      </nav>
      {current && (
        <nav className={classes.pages} aria-label={t(`tabs.groups.${current}`)}>
          {pages.map((name) => (
            <NavLink key={name} to={paths.admin(`/${name}`)}>
              {t(`tabs.${name}`)}
            </NavLink>
          ))}
        </nav>
      )}
    </>
  );
}
