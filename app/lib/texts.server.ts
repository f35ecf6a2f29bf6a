import type { Language } from '~/locales/languages';
import type { Texts, Translate } from './i18n';
import { textsOf, translator } from './i18n.server';
import type { TextSource } from './translation';

/** A request's source of texts; `used()` gives those namespaces that the rendered page asked for, as JSON for a script element. */
export function textsForPage(language: Language): TextSource & { used: () => string } {
  const used = new Map<string, { translate: Translate; texts: Texts }>();
  return {
    language,
    translator(wanted, namespace) {
      const entry = used.get(namespace) ?? {
        translate: translator(wanted, namespace),
        texts: textsOf(wanted, namespace),
      };
      used.set(namespace, entry);
      return entry.translate;
    },
    used() {
      const all = Object.fromEntries([...used].map(([namespace, { texts }]) => [namespace, texts]));
      return JSON.stringify(all).replace(/</g, '\\u003c');
    },
  };
}
