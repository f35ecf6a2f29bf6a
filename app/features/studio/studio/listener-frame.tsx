import type { ReactNode } from 'react';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { usePaths } from '~/app/lib/paths';
import { useLocation } from '~/app/lib/router';
import type { Studio } from '~/app/lib/studio-context';
import { Announcements } from './announcements';
import classes from './listener-frame.module.css';
import { VerifyBar } from './verify-bar';

/**
 * Whether the page has the frame of the listeners' pages: settings and the first question, for a user who works for no
 * creator. The studio's navigation would offer them only a creator page.
 */
export function useListenerFrame({ user, workplaces }: Studio): boolean {
  const paths = usePaths();
  const { pathname } = useLocation();
  const isForEverybody = [paths.profile, paths.billing, paths.plans, paths.start('reason')].some((path) =>
    pathname.startsWith(path),
  );
  return isForEverybody && !user.creator && workplaces.length === 0 && !user.isOperator;
}

/** The public pages' header, with the account menu, around a page of the studio. */
export function ListenerFrame({ children }: { children: ReactNode }) {
  return (
    <SiteShell>
      <Announcements />
      <VerifyBar />
      <div className={`wrap ${classes.content}`}>{children}</div>
    </SiteShell>
  );
}
