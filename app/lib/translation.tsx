import { createContext, useContext, useMemo } from 'react';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import type { Translate } from './i18n';

/**
 * Where texts come from: i18next on the server, the page's embedded texts and the chunks of `locales/` in the browser.
 * `translator` throws a promise while a namespace is on its way; navigations are transitions, so the old page stays until then.
 */
export type TextSource = { language: Language; translator: (language: Language, namespace: string) => Translate };

const Source = createContext<TextSource>({ language: DEFAULT_LANGUAGE, translator: () => (key) => key });
const Current = createContext<Language | null>(null);

/** On the server: the texts that the page used so far, as JSON; the browser reads them from the page. */
const Embedded = createContext<() => string>(() => '');

export const TextSourceProvider = Source.Provider;
export const EmbeddedTexts = Embedded.Provider;
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

/** Stands last in the page, so that all else was rendered before it and its texts are known. */
export function TextsElement() {
  const texts = useContext(Embedded)();
  // JSON of our own files, with `<` escaped
  return (
    <script id="texts" type="application/json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: texts }} />
  );
}
