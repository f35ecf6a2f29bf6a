import { useLocation } from '@remix-run/react';
import { useEffect } from 'react';

const PODCASTER = /(?:^|;\s*)podcaster=/g;

/**
 * The security check of spec §4 on each route change. Two cookies named `podcaster` clear the browser's storage; the
 * document request that follows makes the server end the session and say why.
 */
export function useSecurityCheck() {
  const { pathname } = useLocation();
  useEffect(() => {
    if ((document.cookie.match(PODCASTER)?.length ?? 0) < 2) return;
    localStorage.clear();
    sessionStorage.clear();
    window.location.assign('/login');
  }, [pathname]);
}
