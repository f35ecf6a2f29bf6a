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

/** The outcome of a payment, in the address of the page after it. */
const SUBSCRIPTION_PARAM = 'subscription_status';

/** The first-login dialog must be answered first, and the bar would cover its button on phones. */
const HAS_DIALOG = /^(?:\/[a-z]{2})?\/first-login$/;

/** Loaded only if the operator has set a container or a chat: asks for consent, and loads them after it. */
export function Tracking({ gtmId, chat }: Services) {
  const consent = useSyncExternalStore(onConsentChange, readConsent);
  const [isAsking, setAsking] = useState(false);
  const { pathname } = useLocation();
  useChoicesButton(() => setAsking(true));
  useEffect(() => {
    setAsking(false);
    // a script that runs can't be unloaded otherwise
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

/** The footers have a button with `data-consent`, which changes the choice later. */
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
  // null on a page without an error
  const isError = Boolean(useRouteError());
  const before = useRef<PageState | null>(null);
  useEffect(() => {
    const query = new URLSearchParams(search);
    // links from emails have a secret in their address, which no third party may read
    if (query.has('token')) return;
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

const VISITED_AS = 'trackedAs';

/** Logging in may load a new document: what the former one in this tab knew. */
function earlierVisit(now: PageState): PageState | null {
  const isVisitor = sessionStorage.getItem(VISITED_AS) === 'visitor';
  return isVisitor ? { ...now, path: '', isLoggedIn: false, done: null, subscription: null } : null;
}

function rememberVisit(isLoggedIn: boolean): void {
  sessionStorage.setItem(VISITED_AS, isLoggedIn ? 'user' : 'visitor');
}
