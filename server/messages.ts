import { createInstance, type i18n } from 'i18next';
import errorsEn from '~/locales/en/errors.json';
import mailEn from '~/locales/en/mail.json';
import errorsEs from '~/locales/es/errors.json';
import mailEs from '~/locales/es/mail.json';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';

const NAMESPACES = ['errors', 'mail'];

function instance(lng: Language, resources: Record<string, object>): i18n {
  const made = createInstance();
  // `initImmediate: false`: the texts are here already, so the first sentence can be said at once
  made.init({
    lng,
    fallbackLng: DEFAULT_LANGUAGE,
    ns: NAMESPACES,
    resources: { [lng]: resources },
    initImmediate: false,
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
  return made;
}

const translators: Record<Language, i18n> = {
  en: instance('en', { errors: errorsEn, mail: mailEn }),
  es: instance('es', { errors: errorsEs, mail: mailEs }),
};

/** The sentence of a key such as `errors:episode.not_found`, in English where the language is not spoken here. */
export function translate(language: string, key: string, params: Record<string, string | number> = {}): string {
  return translators[isLanguage(language) ? language : DEFAULT_LANGUAGE].t(key, params);
}

/** The best of our languages for an Accept-Language header; null when it names none of them. */
export function acceptedLanguage(header: string | null | undefined): Language | null {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...rest] = part.trim().toLowerCase().split(';');
      return { language: tag.slice(0, 2), q: Number(/q=([\d.]+)/.exec(rest.join(';'))?.[1] ?? 1) };
    })
    .sort((a, b) => b.q - a.q)
    .find(({ language, q }) => q > 0 && isLanguage(language));
  return isLanguage(wanted?.language) ? wanted.language : null;
}
