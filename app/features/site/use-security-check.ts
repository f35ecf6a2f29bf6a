import { useLocation } from '@remix-run/react';
import { useEffect } from 'react';

const PODCASTER = /(?:^|;\s*)podcaster=/g;

/**
 * The check of spec §4 at each change of route: two cookies named `podcaster` clear what the browser stores, and a new
 * document makes the server end the session and say why.
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
