import { createContext, useContext, useMemo } from 'react';
import { FALLBACK, type Language, type Translate } from './i18n';

/**
 * Where texts come from: i18next on the server, the page's embedded texts and the chunks of `locales/` in the browser.
 * `translator` throws a promise while a namespace is on its way; navigations are transitions, so the old page stays until then.
 */
export type TextSource = { language: Language; translator: (language: Language, namespace: string) => Translate };

const Source = createContext<TextSource>({ language: FALLBACK, translator: () => (key) => key });
const Current = createContext<Language | null>(null);

export const TextSourceProvider = Source.Provider;
export const LanguageProvider = Current.Provider;

/** The page's language. */
export function useLanguage(): Language {
  const source = useContext(Source);
  return useContext(Current) ?? source.language;
}

/** `const { t, language } = useTranslation('public')` reads `locales/{language}/public.json`. */
export function useTranslation(namespace = 'common'): { t: Translate; language: Language } {
  const source = useContext(Source);
  const language = useLanguage();
  const t = source.translator(language, namespace);
  return useMemo(() => ({ t, language }), [t, language]);
}
