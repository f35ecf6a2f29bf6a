import type { Language } from '~/locales/languages';
import { type Texts, type Translate, translate } from '~/locales/translate';
import type { TextSource } from './translation';

/** As text: a start would spend time and memory on thousands of texts, most of which its first pages do not show. */
const files = import.meta.glob<string>(['/locales/*/*.json', '!/locales/*/mail.json'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const read = new Map<string, Texts>();

/** All texts of a namespace. */
function textsOf(language: Language, namespace: string): Texts {
  const file = `/locales/${language}/${namespace}.json`;
  const texts = read.get(file) ?? (JSON.parse(files[file] ?? '{}') as Texts);
  read.set(file, texts);
  return texts;
}

/** The translate function of one namespace, for loaders, actions and server rendering. */
export function translator(language: Language, namespace: string): Translate {
  const texts = textsOf(language, namespace);
  return (key, values) => translate(language, texts, key, values);
}

/**
 * A request's source of texts. `usedTexts()` returns the namespaces that rendering used, as JSON for a script element:
 * the browser hydrates with them. They always include `common`, which the error page needs without a connection.
 */
export function textsForPage(language: Language): TextSource & { usedTexts: () => string } {
  const translators = new Map([['common', translator(language, 'common')]]);
  return {
    language,
    translator(requested, namespace) {
      const known = translators.get(namespace) ?? translator(requested, namespace);
      translators.set(namespace, known);
      return known;
    },
    usedTexts: () => textsAsJson(language, [...translators.keys()]),
  };
}

/** JSON by language and namespaces: most pages use the same namespaces, and together they have tens of kilobytes. */
const written = new Map<string, string>();

function textsAsJson(language: Language, namespaces: string[]): string {
  const key = [language, ...namespaces].join();
  const used = () => namespaces.map((namespace) => [namespace, textsOf(language, namespace)]);
  const json = written.get(key) ?? JSON.stringify(Object.fromEntries(used())).replace(/</g, '\\u003c');
  written.set(key, json);
  return json;
}
