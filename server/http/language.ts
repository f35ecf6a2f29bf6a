import { readCookie } from '../auth/cookies';
import { LANGUAGES, type Language } from '../ctx';

/** Names a path's language when it stands first, also in the form that single fetch asks for (`/es.data`). */
const IN_PATH = /^\/(en|es)(?=\/|$|\.data$)/;

const isLanguage = (word: unknown): word is Language => LANGUAGES.includes(word as Language);

/** Spec §2.5: the query parameter `podcastName` when it is a language code, then the page's own, the stored one, English. */
export function chooseLanguage(page: { search: string; pathname: string; cookie: string | null }): Language {
  const wanted = [
    new URLSearchParams(page.search).get('podcastName'),
    IN_PATH.exec(page.pathname)?.[1],
    readCookie(page.cookie, 'language'),
  ];
  return wanted.find(isLanguage) ?? 'en';
}
