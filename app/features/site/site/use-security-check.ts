import { useEffect } from 'react';
import { useLocation } from '~/app/lib/router';

const PODCASTER = /(?:^|;\s*)podcaster=/g;

/**
 * The security check of spec §4 on each route change. Two cookies named `podcaster` clear the browser's storage. The
 * document request that follows makes the server end the session, clear this host's cookies, and state the reason.
 */
export function useSecurityCheck() {
  const { pathname } = useLocation();
  useEffect(() => {
    if ((document.cookie.match(PODCASTER)?.length ?? 0) < 2) return;
    const leave = () => window.location.reload();
    import('~/app/lib/browser-storage').then(({ clearBrowserStorage }) => clearBrowserStorage()).then(leave, leave);
  }, [pathname]);
}
