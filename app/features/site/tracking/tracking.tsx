import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { hasConsented, onConsentChange, readConsent } from '~/app/lib/consent';
import { DONE_PARAM } from '~/app/lib/done-message';
import { type Services, useViewer } from '~/app/lib/root-data';
import { useLocation, useRouteError } from '~/app/lib/router';
import { useLanguage } from '~/app/lib/translation';
import { ChatButton, hasChat } from './chat';
import { ConsentBar } from './consent-bar';
import { hasTagManager, loadTagManager, pushEvents } from './data-layer';
import { eventsBetween, type PageState } from './events';

/** The outcome of a payment, in the URL of the next page. */
const SUBSCRIPTION_PARAM = 'subscription_status';

/** The consent bar waits for the first-login dialog, whose button it would cover on phones. */
const HAS_DIALOG = /^(?:\/[a-z]{2})?\/first-login$/;

/**
 * Asks for consent, and then loads the container and the chat. This file loads only if the operator has set one of
 * them.
 */
export function Tracking({ gtmId, chat }: Services) {
  const consent = useSyncExternalStore(onConsentChange, readConsent);
  const [isAsking, setAsking] = useState(false);
  const { pathname } = useLocation();
  useChoicesButton(() => setAsking(true));
  useEffect(() => {
    setAsking(false);
    // only a new document unloads a running script
    if (consent === 'denied' && (hasTagManager() || hasChat())) location.reload();
  }, [consent]);
  return (
    <>
      {hasConsented() && gtmId && <Events gtmId={gtmId} />}
      {hasConsented() && chat && (
        <Suspense fallback={null}>
          <ChatButton chat={chat} />
        </Suspense>
      )}
      {(isAsking || (consent === null && !HAS_DIALOG.test(pathname))) && (
        <Suspense fallback={null}>
          <ConsentBar gtmId={gtmId} chat={chat} onChosen={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Calls `open` when a visitor clicks the footer's `data-consent` button, which changes the choice later. */
function useChoicesButton(open: () => void) {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const listen = ({ target }: MouseEvent) =>
      target instanceof Element && target.closest('[data-consent]') && latest.current();
    document.addEventListener('click', listen);
    if (window.consentWanted) latest.current();
    window.consentWanted = false;
    return () => document.removeEventListener('click', listen);
  }, []);
}

function Events({ gtmId }: { gtmId: string }) {
  const { pathname, search } = useLocation();
  const language = useLanguage();
  const isLoggedIn = useViewer() !== null;
  // null if the page has no error
  const isError = Boolean(useRouteError());
  const before = useRef<PageState | null>(null);
  useEffect(() => {
    const query = new URLSearchParams(search);
    if (hasSecret(pathname, query)) return;
    loadTagManager(gtmId);
    const [done, subscription] = [query.get(DONE_PARAM), query.get(SUBSCRIPTION_PARAM)];
    const now = { path: pathname, isError, isLoggedIn, done, subscription };
    const events = eventsBetween(before.current ?? earlierVisit(now), now);
    before.current = now;
    rememberVisit(isLoggedIn);
    if (events.length > 0) void pushEvents(events, `${language} ${isLoggedIn}`);
  }, [gtmId, pathname, search, language, isLoggedIn, isError]);
  return null;
}

const SECRET_PATH = /^(?:\/[a-z]{2})?\/(?:feed-preview|figures)\//;

/** Whether the address contains a secret, such as the token of an email or a private feed. No third party may read it. */
function hasSecret(pathname: string, query: URLSearchParams): boolean {
  const next = query.get('next')?.split('?')[1] ?? '';
  return (
    SECRET_PATH.test(pathname) ||
    [query, new URLSearchParams(next)].some((each) => each.has('token') || each.has('url'))
  );
}

const VISITED_AS = 'trackedAs';

/** The state from before a log-in that loaded a new document in this tab. */
function earlierVisit(now: PageState): PageState | null {
  const isVisitor = sessionStorage.getItem(VISITED_AS) === 'visitor';
  return isVisitor ? { ...now, path: '', isLoggedIn: false, done: null, subscription: null } : null;
}

function rememberVisit(isLoggedIn: boolean): void {
  sessionStorage.setItem(VISITED_AS, isLoggedIn ? 'user' : 'visitor');
}
