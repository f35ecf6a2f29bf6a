import type { Resource } from 'i18next';
import { RemixI18Next } from 'remix-i18next/server';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '~/locales/languages';
import type { Texts, Translate } from './i18n';

const files = import.meta.glob<Texts>('/locales/*/*.json', { eager: true, import: 'default' });

const resources: Resource = {};
for (const [file, texts] of Object.entries(files)) {
  const [, , language, name] = file.split('/') as [string, string, string, string];
  resources[language] = { ...resources[language], [name.replace('.json', '')]: texts };
}

const i18n = new RemixI18Next({
  // the door has chosen the language already (server/http/language.ts); here it is only named
  detection: { supportedLanguages: [...LANGUAGES], fallbackLanguage: DEFAULT_LANGUAGE },
  i18next: {
    resources,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  },
});

/** remix-i18next makes an instance for each reader: every language and namespace gets its own once, at the start. */
const readers = new Map<string, Translate>();
for (const language of LANGUAGES) {
  for (const namespace of Object.keys(resources[language] ?? {})) {
    const read = await i18n.getFixedT(language, namespace);
    readers.set(`${language}/${namespace}`, read as unknown as Translate);
  }
}

/** The reader of one namespace, for loaders, actions and the server's rendering. */
export function translator(language: Language, namespace: string): Translate {
  return readers.get(`${language}/${namespace}`) ?? ((key) => key);
}

/** All texts of a namespace, to be handed to the browser along with the page. */
export function textsOf(language: Language, namespace: string): Texts {
  return (resources[language]?.[namespace] as Texts | undefined) ?? {};
}
