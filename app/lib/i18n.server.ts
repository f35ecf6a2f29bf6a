import { createInstance, type i18n as I18n, type Resource } from 'i18next';
import type { Language, Texts, Translate } from './i18n';

const files = import.meta.glob<Texts>('/locales/*/*.json', { eager: true, import: 'default' });

const resources: Resource = {};
for (const [file, texts] of Object.entries(files)) {
  const [, , language, name] = file.split('/') as [string, string, string, string];
  resources[language] = { ...resources[language], [name.replace('.json', '')]: texts };
}

/** One instance per language for the life of the process: nothing in it depends on a request. */
const instances = new Map<Language, I18n>();

function instanceOf(language: Language): I18n {
  const known = instances.get(language);
  if (known) return known;
  const instance = createInstance();
  void instance.init({
    lng: language,
    fallbackLng: false,
    resources,
    initImmediate: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  instances.set(language, instance);
  return instance;
}

/** The reader of one namespace, for loaders, actions and the server's rendering. */
export function translator(language: Language, namespace: string): Translate {
  return instanceOf(language).getFixedT(language, namespace) as unknown as Translate;
}

/** All texts of a namespace, to be handed to the browser along with the page. */
export function textsOf(language: Language, namespace: string): Texts {
  return (resources[language]?.[namespace] as Texts | undefined) ?? {};
}
