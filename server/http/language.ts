import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '~/locales/languages';
import { readCookie } from '../auth/cookies';

/** A language as the first segment of a path, including Remix's single-fetch form (`/es.data`). */
const IN_PATH = new RegExp(`^/(${LANGUAGES.join('|')})(?=/|$|\\.data$)`);

/** Spec §2.5: the query parameter `podcastName` if it is a language code, then the path, the cookie, the default. */
export function chooseLanguage(page: { search: string; pathname: string; cookie: string | null }): Language {
  const candidates = [
    new URLSearchParams(page.search).get('podcastName'),
    IN_PATH.exec(page.pathname)?.[1],
    readCookie(page.cookie, 'language'),
  ];
  return candidates.find(isLanguage) ?? DEFAULT_LANGUAGE;
}

/** The best of our languages for an Accept-Language header; null if it accepts none of them. */
export function acceptedLanguage(header: string | null | undefined): Language | null {
  const best = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...rest] = part.trim().toLowerCase().split(';');
      return { language: tag.slice(0, 2), q: Number(/q=([\d.]+)/.exec(rest.join(';'))?.[1] ?? 1) };
    })
    .sort((a, b) => b.q - a.q)
    .find(({ language, q }) => q > 0 && isLanguage(language));
  return isLanguage(best?.language) ? best.language : null;
}
