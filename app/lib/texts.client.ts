import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';
import { type Texts, type Translate, translate } from '~/locales/translate';
import type { TextSource } from './translation';

const files = import.meta.glob<Texts>('/locales/*/*.json', { import: 'default' });
const translators = new Map<string, Translate>();
const loading = new Map<string, Promise<void>>();

function addTexts(language: Language, namespace: string, texts: Texts) {
  translators.set(`${language}/${namespace}`, (key, values) => translate(language, texts, key, values));
}

/** Reads the texts that the server embedded in the page, so that hydration needs no request. */
export function embeddedTexts(): TextSource {
  const { lang } = document.documentElement;
  const language = isLanguage(lang) ? lang : DEFAULT_LANGUAGE;
  const embedded = document.getElementById('texts')?.textContent;
  for (const [namespace, texts] of Object.entries(JSON.parse(embedded || '{}') as Record<string, Texts>)) {
    addTexts(language, namespace, texts);
  }
  return { language, translator };
}

/** @throws the promise of the namespace while it loads, which suspends the component */
function translator(language: Language, namespace: string): Translate {
  const known = translators.get(`${language}/${namespace}`);
  if (known) return known;
  throw load(language, namespace);
}

function load(language: Language, namespace: string): Promise<void> {
  const name = `${language}/${namespace}`;
  const pending = loading.get(name);
  if (pending) return pending;
  const promise = (files[`/locales/${name}.json`]?.() ?? Promise.resolve({}))
    .catch(() => ({}))
    .then((texts) => addTexts(language, namespace, texts));
  loading.set(name, promise);
  return promise;
}
