import type { Cookie } from '@remix-run/node';
import { parseAccept } from 'hono/utils/accept';
import { LanguageDetector } from 'remix-i18next/server';
import { isLanguage, LANGUAGES, type Language } from '~/locales/languages';
import { readCookie } from '../auth/cookies';

/** A language as the first segment of a path, including Remix's single-fetch form (`/es.data`). */
const IN_PATH = new RegExp(`^/(${LANGUAGES.join('|')})(?=/|$|\\.data$)`);

/** Browsers send fewer than ten. A header of 16 KB has room for 8000. */
const MAX_ACCEPTED = 20;

/** Remix's own cookies are base64; this one is plain text. */
const languageCookie: Cookie = {
  name: 'language',
  isSigned: false,
  parse: async (header) => storedLanguage(header),
  serialize: () => Promise.reject(new Error('auth/cookies.ts writes the language cookie')),
};

/** Without a fallback language, because each caller has its own. */
const shared = { supportedLanguages: [...LANGUAGES], fallbackLanguage: '', cookie: languageCookie };

const pageDetector = new LanguageDetector({
  ...shared,
  order: ['custom', 'cookie'],
  findLocale: async ({ url }) => languageOfAddress(new URL(url)),
});

const clientDetector = new LanguageDetector({
  ...shared,
  order: ['cookie', 'custom'],
  findLocale: async ({ headers }) => acceptedLanguages(headers.get('accept-language')),
});

/**
 * The visitor's choice for a page (spec §2.5): `podcastName` if it is a language code, then the path, then the cookie.
 */
export function detectChosenLanguage({ pathname, search }: URL, cookie: string | null): Promise<Language | null> {
  return detectLanguage(pageDetector, `${pathname}${search}`, { cookie });
}

/** For calls that serve no page: the cookie's language, then the best accepted one; null if we have neither. */
export function detectClientLanguage(client: {
  cookie?: string | null;
  acceptLanguage: string | null | undefined;
}): Promise<Language | null> {
  return detectLanguage(clientDetector, '/', { cookie: client.cookie, 'accept-language': client.acceptLanguage });
}

/** The language cookie, for the page cache, which can't wait for a detector. */
export function storedLanguage(cookie: string | null | undefined): Language | null {
  const stored = readCookie(cookie, 'language');
  return isLanguage(stored) ? stored : null;
}

async function detectLanguage(
  detector: LanguageDetector,
  path: string,
  headers: Record<string, string | null | undefined>,
) {
  const sent = Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string');
  // the detectors read only these parts of a request; creating a whole one takes far longer
  const request = { url: `http://localhost${path}`, headers: new Headers(sent) } as Request;
  const language = await detector.detect(request);
  return isLanguage(language) ? language : null;
}

/**
 * The detector's `searchParams` reads a podcast named "es una historia" as a list of languages, so we compare instead.
 */
function languageOfAddress({ searchParams, pathname }: URL): Language | null {
  const named = searchParams.get('podcastName');
  return isLanguage(named) ? named : languageInPath(pathname);
}

/** The language that a path names; it takes precedence over the visitor's own. Null if the path names none. */
export function languageInPath(pathname: string): Language | null {
  const language = IN_PATH.exec(pathname)?.[1];
  return isLanguage(language) ? language : null;
}

/** The best language of an Accept-Language header that we have; null if there is none. */
export function acceptedLanguage(header: string | null | undefined): Language | null {
  if (!header) return null;
  const known = accepted.get(header);
  if (known !== undefined) return known;
  const language = acceptedLanguages(header).find(isLanguage) ?? null;
  if (accepted.size >= MAX_HEADERS) accepted.clear();
  accepted.set(header, language);
  return language;
}

/** Browsers send few different headers, but clients can invent any number; hence the bound. */
const accepted = new Map<string, Language | null>();
const MAX_HEADERS = 1000;

/**
 * The languages of an Accept-Language header, best first, without regions. The detector's `header` finds no language in
 * `fr, es;q=0.8`: it takes the first language that the server's Intl knows and ignores the others.
 */
function acceptedLanguages(header: string | null): string[] {
  const sent = parseAccept(header ?? '')
    .filter(({ q }) => q > 0)
    .slice(0, MAX_ACCEPTED);
  return sent.map(({ type }) => type.split('-', 1)[0] as string);
}
