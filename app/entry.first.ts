import { playEarly } from './features/listener/player/early-play';
import { isStarting, startApp } from './lib/late-start';

/**
 * The only JavaScript that a first visit loads: it runs in the head, tells the style sheet that JavaScript is
 * available, starts playback at the first click, and loads the app when a visitor uses a control that needs it
 * (decision 0170).
 */
const { classList } = document.documentElement;
classList.add('js');
window.startApp = startApp;
// the pages that follow have the font in the cache, and would only flicker
if (!document.referrer.startsWith(`${location.origin}/`)) {
  classList.add('arriving');
  afterPaint(() => classList.remove('arriving'));
}

/** A click that waits for the app. */
let held: HTMLElement | null = null;

addEventListener('click', onClick, true);
addEventListener('focusin', onFocus, true);
addEventListener('hashchange', startForMoment);
addEventListener('DOMContentLoaded', startAtOnce);
addEventListener('load', startForConsent);
// React hydrates the clicked element at once, but not from within its own work
addEventListener('playerready', () => setTimeout(release));
addEventListener('startfailed', leave);

function onClick(event: MouseEvent) {
  const target = event.target;
  if (window.playerReady || !(target instanceof Element) || event.button !== 0) return;
  const button = target.closest<HTMLElement>('[data-play]');
  const isMoment = playMoment(target.closest('a'));
  if (button) playEarly(button);
  if (button || isMoment) return takeOver(event);
  if (target.closest('[data-consent]')) window.consentWanted = true;
  const control = target.closest<HTMLElement>('button[type=button]:not([popovertarget]), [data-needs-app]');
  const link = isStarting() ? plainLink(event, target) : null;
  held = control ?? link ?? held;
  if (control || link) takeOver(event);
}

function takeOver(event: Event) {
  event.preventDefault();
  // React may already listen although the player is not ready
  event.stopPropagation();
  startApp();
}

/** A link to a time in an episode of this page. Links to other episodes wait for the player. */
function playMoment(link: HTMLAnchorElement | null): boolean {
  if (!link?.hash.startsWith('#listen=') || link.pathname !== location.pathname) return false;
  const fields = new URLSearchParams(link.hash.slice(1));
  const button = document.querySelector<HTMLElement>(`[data-play="${CSS.escape(fields.get('listen') ?? '')}"]`);
  if (button) playEarly(button, Number(fields.get('at')) || 0);
  return button !== null;
}

/** The link, if the click would replace this page. */
function plainLink(event: MouseEvent, target: Element): HTMLAnchorElement | null {
  const link = target.closest<HTMLAnchorElement>('a[href]');
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link?.target;
  return link?.protocol.startsWith('http') && !opensElsewhere && !link.hasAttribute('download') ? link : null;
}

function release() {
  const target = held;
  held = null;
  target?.click();
}

/** Without the app, a link opens its page, and the sound plays until then. */
function leave() {
  if (held instanceof HTMLAnchorElement) location.assign(held.href);
}

/** Fields that the app checks or completes while the visitor types. */
function onFocus({ target }: FocusEvent) {
  if (target instanceof Element && target.matches('main :is(input, select, textarea), [data-needs-app] *')) startApp();
}

function startForMoment() {
  if (/[#&]listen=/.test(location.hash)) startApp();
}

/**
 * Starts the app at once for a player from before a reload or from another host, and on pages that show data of their
 * visitor.
 */
function startAtOnce() {
  startForMoment();
  if (document.querySelector('[data-needs-app=now]')) startApp();
  // the first look into the storage may take as long as the first paint, which it would delay
  else afterPaint(startForPlayer);
}

/** Runs once the visitor sees some of the page's content. Browsers may report the first paint of its ground before. */
function afterPaint(action: () => void) {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    action();
  }).observe({ type: 'paint', buffered: true });
}

function startForPlayer() {
  if (hasSavedPlayer()) startApp();
}

function hasSavedPlayer(): boolean {
  try {
    return localStorage.getItem('playerData') !== null;
  } catch {
    return false; // storage is disabled
  }
}

/**
 * The button exists only if the operator has set services that need consent. If the visitor refuses, no service loads.
 */
function startForConsent() {
  const mayTrack = document.querySelector('[data-consent]') && !/(?:^|;\s*)consent=denied/.test(document.cookie);
  if (mayTrack) setTimeout(startApp);
}
