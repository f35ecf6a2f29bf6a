import { useEffect, useRef } from 'react';
import { usePaths } from '~/app/lib/paths';
import { queryProcedure } from '~/app/lib/procedures';
import { useLocation } from '~/app/lib/router';
import { isLoggedOut, isTemporary } from '~/app/lib/trpc-errors';
import { MINUTES, SECONDS } from '~/server/base/time';

const RETRIES = 5;
const SLOWEST = SECONDS(30);
const FRESH = MINUTES(1);
/** 1 s, 2 s, 4 s … */
const backoff = (attempt: number) => Math.min(SLOWEST, SECONDS(2 ** attempt));
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks who the user is when they come back to this tab. A 401 or 403 logs out at once (spec §7); 429 and 5xx are
 * retried first, because a restarting server must not log all users out. Leaving the page saves a form in progress.
 */
export function SessionWatch() {
  const paths = usePaths();
  const { pathname, search } = useLocation();
  const leave = useRef(() => {});
  leave.current = () => window.location.assign(paths.login(pathname + search));
  useEffect(() => {
    let checkedAt = Date.now();
    let isOver = false;
    const check = async () => {
      checkedAt = Date.now();
      if ((await hasEnded(() => isOver)) && !isOver) leave.current();
    };
    const seen = () => {
      if (document.visibilityState === 'visible' && Date.now() - checkedAt > FRESH) void check();
    };
    // the back button may show a page from before the log-out, which the browser has kept in memory
    const shown = (event: PageTransitionEvent) => event.persisted && void check();
    document.addEventListener('visibilitychange', seen);
    window.addEventListener('pageshow', shown);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('pageshow', shown);
    };
  }, []);
  return null;
}

/** Whether the server says that the session has ended. Without a clear answer, it has not. `isOver` ends the retries. */
async function hasEnded(isOver: () => boolean): Promise<boolean> {
  for (let retries = 0; retries <= RETRIES; retries++) {
    if (retries > 0) await wait(backoff(retries - 1));
    if (isOver()) return false;
    const error: unknown = await queryProcedure('accounts.me', undefined).then(
      () => null,
      (failure) => failure,
    );
    if (error === null || !isTemporary(error)) return isLoggedOut(error);
  }
  return false;
}
