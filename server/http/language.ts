import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '~/locales/languages';
import { readCookie } from '../auth/cookies';

/** Names a path's language when it stands first, also in the form that single fetch asks for (`/es.data`). */
const IN_PATH = new RegExp(`^/(${LANGUAGES.join('|')})(?=/|$|\\.data$)`);

/** Spec §2.5: the query parameter `podcastName` when it is a language code, then the page's own, the stored one, English. */
export function chooseLanguage(page: { search: string; pathname: string; cookie: string | null }): Language {
  const wanted = [
    new URLSearchParams(page.search).get('podcastName'),
    IN_PATH.exec(page.pathname)?.[1],
    readCookie(page.cookie, 'language'),
  ];
  return wanted.find(isLanguage) ?? DEFAULT_LANGUAGE;
}
