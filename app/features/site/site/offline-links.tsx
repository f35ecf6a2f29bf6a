import { useEffect, useState } from 'react';
import { CloseIcon } from '~/app/components/icons';
import { useLocation, useNavigate } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/**
 * Without a connection, a link would lead to the browser's error page and stop the player. This keeps the page, shows a
 * message, and opens the link when the connection is back.
 */
export function OfflineLinks() {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<URL | null>(null);
  const { key } = useLocation();
  useEffect(() => void setWanted(null), [key]);
  useOfflineClicks(setWanted);
  useOpenWhenOnline(wanted);
  return (
    <div className="offline" role="status">
      {wanted && (
        <p>
          {t('offline.link')}
          <button type="button" className="icon-button" onClick={() => setWanted(null)} aria-label={t('offline.close')}>
            <CloseIcon />
          </button>
        </p>
      )}
    </div>
  );
}

/** Listens before the router, which ignores prevented clicks. */
function useOfflineClicks(onLink: (url: URL) => void) {
  useEffect(() => {
    function onClick(event: MouseEvent) {
      const url = navigator.onLine ? null : linkOf(event);
      if (!url) return;
      event.preventDefault();
      onLink(url);
    }
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, [onLink]);
}

function useOpenWhenOnline(wanted: URL | null) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!wanted) return;
    function openWanted() {
      if (!wanted) return;
      if (wanted.origin === location.origin) navigate(wanted.pathname + wanted.search + wanted.hash);
      else location.assign(wanted);
    }
    window.addEventListener('online', openWanted);
    return () => window.removeEventListener('online', openWanted);
  }, [wanted, navigate]);
}

/** The URL that a plain click opens in this tab; null if the click does not leave the page. */
function linkOf(event: MouseEvent): URL | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!isPlain || !link || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  const isHere = url.pathname === location.pathname && url.search === location.search && url.host === location.host;
  return /^https?:$/.test(url.protocol) && !isHere ? url : null;
}
