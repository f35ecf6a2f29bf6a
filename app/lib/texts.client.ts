import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';
import { type Texts, type Translate, translate } from './i18n';
import type { TextSource } from './translation';

const files = import.meta.glob<Texts>('/locales/*/*.json', { import: 'default' });
const ready = new Map<string, Translate>();
const underway = new Map<string, Promise<void>>();

function keep(language: Language, namespace: string, texts: Texts) {
  ready.set(`${language}/${namespace}`, (key, values) => translate(language, texts, key, values));
}

/** The texts that the server used for this page, which it put into the page. */
export function embeddedTexts(): TextSource {
  const language = isLanguage(document.documentElement.lang) ? document.documentElement.lang : DEFAULT_LANGUAGE;
  const embedded = document.getElementById('texts')?.textContent;
  for (const [namespace, texts] of Object.entries(JSON.parse(embedded || '{}') as Record<string, Texts>)) {
    keep(language, namespace, texts);
  }
  return { language, translator };
}

function translator(language: Language, namespace: string): Translate {
  const known = ready.get(`${language}/${namespace}`);
  if (known) return known;
  throw load(language, namespace);
}

function load(language: Language, namespace: string): Promise<void> {
  const name = `${language}/${namespace}`;
  const started = underway.get(name);
  if (started) return started;
  const loading = (files[`/locales/${name}.json`]?.() ?? Promise.resolve({}))
    .catch(() => ({}))
    .then((texts) => keep(language, namespace, texts));
  underway.set(name, loading);
  return loading;
}
