declare global {
  interface Window {
    /** Loads the app on a page that hydrates only when it is used. Does nothing on other pages, or a second time. */
    startApp?: () => void;
  }
}

let isWanted = false;

/** Runs Remix's own script, which `late-scripts.server.ts` has put aside. */
export function startApp(): void {
  if (isWanted) return;
  isWanted = true;
  // the script is at the end of the page, which may still load
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', runScripts);
  else runScripts();
}

/** Whether the app is still loading: until it has loaded, a link would load a new page and stop the sound. */
export const isStarting = () => isWanted && !window.playerReady;

function runScripts() {
  const waiting = document.querySelector<HTMLScriptElement>('script[data-later]');
  if (!waiting?.parentElement) return;
  keepScrollPosition();
  enableStyleSheet();
  const script = document.createElement('script');
  script.type = 'module';
  script.nonce = waiting.nonce;
  script.text = waiting.text;
  script.onerror = () => dispatchEvent(new Event('startfailed'));
  const preloads = (waiting.dataset.later ?? '').split(' ').map((href) => {
    return Object.assign(document.createElement('link'), { rel: 'modulepreload', href });
  });
  // React leaves the content of this element alone; removing the rules ends the preloading of whole pages
  waiting.parentElement.replaceChildren(...preloads, script);
}

/** The page contains the text of its style sheet. The pages that follow may have others, which must come after this one. */
function enableStyleSheet() {
  const link = document.querySelector<HTMLLinkElement>('link[disabled]');
  if (!link) return;
  link.onload = () => document.querySelector('style[data-inlined]')?.remove();
  link.disabled = false;
}

/** Stores the current position: otherwise the router would scroll to the position from before a reload. */
function keepScrollPosition() {
  try {
    const positions = JSON.parse(sessionStorage.getItem('positions') ?? '{}');
    if (history.state?.key in positions) positions[history.state.key] = scrollY;
    sessionStorage.setItem('positions', JSON.stringify(positions));
  } catch {
    // storage is disabled: nothing was stored
  }
}
