import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Pages of the site: most of their visitors come for the first time, so their style sheet is in no cache. */
const IS_OF_SITE = /:(?:front$|marketing\/)/;
const SHEET = /<link rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"\/>/g;
const END = '</head>';

/** Style sheets of the build by their address; null in development, where no build has them. */
const texts = new Map<string, string | null>();

export const inlinesStyles = (routeIds: string[]): boolean => routeIds.some((id) => IS_OF_SITE.test(id));

/**
 * Puts the text of a page's only style sheet into the page, which then needs no second request before its first paint
 * (decision 0405). React expects the link, so it stays, and `startApp` switches it on; it allows other elements only at the
 * end of the head.
 */
export function inlineStyles(html: Buffer, nonce: string): Buffer {
  const end = html.indexOf(END);
  const head = html.toString('utf8', 0, Math.max(end, 0));
  const [sheet, ...others] = head.matchAll(SHEET);
  const text = sheet?.[1] && others.length === 0 ? textOf(sheet[1]) : null;
  if (!sheet || text === null) return html;
  const start = head.replace(sheet[0], sheet[0].replace('/>', ' disabled=""/>'));
  return Buffer.concat([
    Buffer.from(`${start}<style nonce="${nonce}" data-inlined="">${text}</style>`),
    html.subarray(end),
  ]);
}

function textOf(href: string): string | null {
  const known = texts.get(href);
  if (known !== undefined) return known;
  const text = readSheet(href);
  texts.set(href, text);
  return text;
}

function readSheet(href: string): string | null {
  try {
    return readFileSync(path.join('build/client', href), 'utf8');
  } catch {
    return null;
  }
}
