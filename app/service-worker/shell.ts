import { DEFAULT_LANGUAGE, LANGUAGES } from '~/locales/languages';
import { SAVED_PATH } from '~/server/base/public-paths';
import { SHELL_CACHE } from './stored';

const pathIn = (language: string) => (language === DEFAULT_LANGUAGE ? SAVED_PATH : `/${language}${SAVED_PATH}`);
const ASSETS = /(?:href|src|data-later)="(\/assets\/[^"]+)"/g;

/** The path of the page of saved episodes, in the language of a URL. */
export const shellPathFor = (pathname: string) =>
  pathIn(
    LANGUAGES.find((language) => pathname.startsWith(`/${language}/`) || pathname === `/${language}`) ??
      DEFAULT_LANGUAGE,
  );

/**
 * Stores the page as a visitor without a session sees it, and the code that it names. A new release has other file
 * names, so the pages are stored last, and code that they no longer name is deleted.
 */
export async function storeShell(): Promise<void> {
  const shell = await caches.open(SHELL_CACHE);
  const pages = await Promise.all(LANGUAGES.map((language) => loadPage(pathIn(language))));
  const texts = await Promise.all(pages.map(({ response }) => response.clone().text()));
  const assets = new Set(
    texts.flatMap((text) => [...text.matchAll(ASSETS)].flatMap(([, list = '']) => list.split(' '))),
  );
  for (const asset of assets) if (!(await shell.match(asset))) await shell.add(asset);
  for (const { path, response } of pages) await shell.put(path, response);
  const kept = new Set([...assets, ...pages.map(({ path }) => path)]);
  for (const { url } of await shell.keys()) if (!kept.has(new URL(url).pathname)) await shell.delete(url);
}

async function loadPage(path: string): Promise<{ path: string; response: Response }> {
  const response = await fetch(path, { credentials: 'omit', cache: 'no-cache' });
  if (!response.ok || response.redirected) throw new Error(`${path} has status ${response.status}`);
  return { path, response };
}
