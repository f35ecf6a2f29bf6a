import { createContext, useContext } from 'react';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { type Locale, localeOf } from '~/server/base/formats';

/**
 * Provides texts: on the server from the locale files, in the browser from the embedded texts and the chunks of
 * `locales/`. `translator` throws a promise while a namespace loads. Navigations are transitions, so the old page stays
 * until then.
 */
export type TextSource = { language: Language; translator: (language: Language, namespace: string) => Translate };

const SourceContext = createContext<TextSource>({ language: DEFAULT_LANGUAGE, translator: () => (key) => key });
const LanguageContext = createContext<Language | null>(null);
const LocaleContext = createContext<Locale | null>(null);

/** Server only: returns the texts that the page has used so far, as JSON. */
const UsedTextsContext = createContext<() => string>(() => '');

export const TextSourceProvider = SourceContext.Provider;
export const UsedTextsProvider = UsedTextsContext.Provider;
export const LanguageProvider = LanguageContext.Provider;
export const LocaleProvider = LocaleContext.Provider;

/** The page's language. */
export function useLanguage(): Language {
  const source = useContext(SourceContext);
  return useContext(LanguageContext) ?? source.language;
}

/** The locale of dates, times, numbers and amounts on the page: its language, and the reader's country. */
function useLocale(): Locale {
  const language = useLanguage();
  return useContext(LocaleContext) ?? localeOf(language);
}

/** `const { t, locale } = useTranslation('public')` reads `locales/{language}/public.json`. */
export function useTranslation(namespace = 'common'): { t: Translate; language: Language; locale: Locale } {
  const source = useContext(SourceContext);
  const language = useLanguage();
  return { t: source.translator(language, namespace), language, locale: useLocale() };
}

/** Must be the last element of the page, because all used texts are known only then. */
export function EmbeddedTexts() {
  const texts = useContext(UsedTextsContext)();
  // JSON from our own files, with `<` escaped, so it is safe
  return (
    <script id="texts" type="application/json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: texts }} />
  );
}
