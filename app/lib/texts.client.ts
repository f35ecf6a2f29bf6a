import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';
import { type Texts, type Translate, translate } from '~/locales/translate';
import type { TextSource } from './translation';

type Files = Record<string, () => Promise<Texts>>;

/** The text files that listeners' pages need once the app runs. Every listener loads the names of these files. */
const files: Files = import.meta.glob<Texts>(
  '/locales/*/{common,content,discover,errors,follow,newsletter,player,player-popup,public,saved}.json',
  { import: 'default' },
);
const translators = new Map<string, Translate>();
const loading = new Map<string, Promise<void>>();
const failures = new Map<string, unknown>();

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

/**
 * @throws the promise of the namespace while it loads, which suspends the component; or the error if loading failed,
 * for the error page. The next attempt loads it again.
 */
function translator(language: Language, namespace: string): Translate {
  const name = `${language}/${namespace}`;
  const known = translators.get(name);
  if (known) return known;
  const failure = failures.get(name);
  failures.delete(name);
  throw failure ?? load(language, namespace);
}

function load(language: Language, namespace: string): Promise<void> {
  const name = `${language}/${namespace}`;
  const pending = loading.get(name);
  if (pending) return pending;
  const promise = readTexts(`/locales/${name}.json`)
    .then((texts) => addTexts(language, namespace, texts))
    .catch((error) => {
      loading.delete(name);
      failures.set(name, error);
    });
  loading.set(name, promise);
  return promise;
}

async function readTexts(file: string): Promise<Texts> {
  const known = files[file] ?? (await import('./other-texts')).allFiles[file];
  return known?.() ?? {};
}
