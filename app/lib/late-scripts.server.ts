/** The element around Remix's scripts (`PageScripts`). */
const OPENING = '<div id="scripts" hidden="">';
const PRELOAD = /<link rel="modulepreload" href="([^"]*)"\/>/g;
const RUNS = ' type="module" async=""';

/** The studio and the pages for logging in are apps, and hydrate at once. */
const IS_APP = /:(?:auth|dashboard)\//;

export const startsAtOnce = (routeIds: string[]): boolean => routeIds.some((id) => IS_APP.test(id));

/**
 * Chromium preloads the page of a link under the pointer. The rules cover only pages of shows: loading these has no
 * side effects, and the browser can't tell which other pages have some.
 */
const RULES = JSON.stringify({
  prefetch: [
    { where: { selector_matches: 'main a[href*="/p/"]:not([href$=".xml"],[download])' }, eagerness: 'moderate' },
  ],
});

/** Puts Remix's scripts aside until `startApp` (decision 0170). Only the end of the page is read as text. */
export function putScriptsAside(html: Buffer, nonce: string): Buffer {
  const start = html.lastIndexOf(OPENING);
  if (start < 0) return html;
  const preloads: string[] = [];
  const end = html
    .toString('utf8', start)
    .replace(PRELOAD, (_, href) => {
      preloads.push(href);
      return '';
    })
    .replace(RUNS, () => ` type="text/plain" data-later="${preloads.join(' ')}"`)
    .replace(OPENING, (tag) => `${tag}<script type="speculationrules" nonce="${nonce}">${RULES}</script>`);
  return Buffer.concat([html.subarray(0, start), Buffer.from(end)]);
}
