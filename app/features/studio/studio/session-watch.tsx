import { useEffect } from 'react';
import { usePaths } from '~/app/lib/paths';
import { useLocation } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { isLoggedOut, isTemporary, trpc } from '~/app/lib/trpc';
import { MINUTES, SECONDS } from '~/server/base/time';

const ATTEMPTS = 5;
const SLOWEST = SECONDS(30);
/** 1 s, 2 s, 4 s … */
const backoff = (attempt: number) => Math.min(SLOWEST, SECONDS(2 ** attempt));

/**
 * Asks who the user is when they come back to this tab. A 401 or 403 logs out at once (spec §7); 429 and 5xx are
 * retried first, because a restarting server must not log all users out. Leaving the page saves a form in progress.
 */
export function SessionWatch() {
  const { user } = useStudio();
  const paths = usePaths();
  const { pathname, search } = useLocation();
  const { error, refetch } = trpc.accounts.me.useQuery(undefined, {
    initialData: user,
    staleTime: MINUTES(1),
    refetchOnWindowFocus: true,
    retry: (failures, failure) => isTemporary(failure) && failures < ATTEMPTS,
    retryDelay: backoff,
  });
  const mustLogIn = isLoggedOut(error);
  useEffect(() => {
    if (mustLogIn) window.location.assign(paths.login(pathname + search));
  }, [mustLogIn, paths, pathname, search]);
  useEffect(() => {
    // the back button may show a page from before the log-out, which the browser has kept in memory
    const check = (event: PageTransitionEvent) => event.persisted && void refetch();
    window.addEventListener('pageshow', check);
    return () => window.removeEventListener('pageshow', check);
  }, [refetch]);
  return null;
}
