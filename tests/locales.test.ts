import fs from 'node:fs';
import path from 'node:path';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { type Texts, translate } from '~/locales/translate';

import { accountEmailKeys } from '~/server/domain/notifications/templates/account-email';
import { BANNED, REPLACED, VERBATIM } from './banned-phrases';

const root = path.resolve(import.meta.dirname, '..');
const namespaces = fs.readdirSync(path.join(root, 'locales/en')).map((file) => file.replace('.json', ''));
const read = (language: string, namespace: string): Texts =>
  JSON.parse(fs.readFileSync(path.join(root, 'locales', language, `${namespace}.json`), 'utf8'));

const PLURAL_SUFFIX = /_(?:zero|one|two|few|many|other)$/;
const PLURAL_FORMS = { en: ['one', 'other'], es: ['one', 'many', 'other'] } as const;
const baseKeys = (texts: Texts) => new Set(Object.keys(texts).map((key) => key.replace(PLURAL_SUFFIX, '')));
const placeholders = (text: string) => [...new Set([...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1]))].sort();

function sources(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => fs.readFileSync(path.join(root, folder, file), 'utf8'));
}

test('both languages have the same namespaces', () => {
  expect(fs.readdirSync(path.join(root, 'locales/es')).sort()).toEqual(
    fs.readdirSync(path.join(root, 'locales/en')).sort(),
  );
});

test.each(namespaces)('%s has the same keys in both languages', (namespace) => {
  const [en, es] = [read('en', namespace), read('es', namespace)];

  expect([...baseKeys(es)].sort()).toEqual([...baseKeys(en)].sort());
  for (const [key, text] of Object.entries({ ...en, ...es })) expect(text, key).toMatch(/\S/);
});

test.each(namespaces)('%s uses the same placeholders in both languages', (namespace) => {
  const [en, es] = [read('en', namespace), read('es', namespace)];

  for (const [key, text] of Object.entries(en)) {
    if (es[key] !== undefined && !PLURAL_SUFFIX.test(key))
      expect(placeholders(es[key]), key).toEqual(placeholders(text));
  }
});

test.each(namespaces.flatMap((namespace) => LANGUAGES.map((language) => [language, namespace] as const)))(
  '%s/%s has every plural form of its language, and no nested keys',
  (language, namespace) => {
    const texts = read(language, namespace);

    for (const [key, text] of Object.entries(texts)) {
      expect(typeof text, key).toBe('string');
      if (!PLURAL_SUFFIX.test(key)) continue;
      for (const form of PLURAL_FORMS[language])
        expect(Object.keys(texts)).toContain(key.replace(PLURAL_SUFFIX, `_${form}`));
    }
  },
);

// i18next defines the format of the locale files; translators and their tools rely on it
test.each(namespaces)('our reader formats %s exactly as i18next does', async (namespace) => {
  for (const language of LANGUAGES) {
    const texts = read(language, namespace);
    const reference = createInstance();
    const resources = { [language]: { [namespace]: texts } };
    const options = { keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false } } as const;
    const expected = await reference.init({
      lng: language,
      ns: [namespace],
      defaultNS: namespace,
      resources,
      ...options,
    });
    for (const key of baseKeys(texts)) {
      const names = Object.keys(texts)
        .filter((name) => name.replace(PLURAL_SUFFIX, '') === key)
        .flatMap((name) => placeholders(texts[name]!));
      for (const count of [0, 1, 2, 1234, 2_000_000]) {
        const values = {
          ...Object.fromEntries(names.map((name) => [name, 'x'])),
          ...(names.includes('count') && { count }),
        };
        expect(translate(language, texts, key, values), `${language} ${key}`).toBe(expected(key, values));
      }
    }
  }
});

test('every error code and every field message has a text', () => {
  const texts = baseKeys(read('en', 'errors'));
  const codes = sources('server').flatMap((text) => [
    ...[...text.matchAll(/defineError\(\s*'([^']+)'/g)].map((match) => match[1]!),
    ...[...text.matchAll(/(?:error|message): '([a-z]+\.[a-z_.]+)'/g)].map((match) => match[1]!),
    ...[...text.matchAll(/'(field\.[a-z_]+)'/g)].map((match) => match[1]!),
  ]);

  expect(codes.filter((code) => !texts.has(code))).toEqual([]);
});

test('every key that a screen uses exists', () => {
  const missing = sources('app').flatMap((text) => {
    const calls = /useTranslation\((?:'([\w-]+)')?\)|translator\([\w.]+, '([\w-]+)'\)/g;
    const used = [...text.matchAll(calls)].map((match) => match[1] ?? match[2] ?? 'common');
    if (used.length === 0) return [];
    const known = new Set(used.flatMap((namespace) => [...baseKeys(read('en', namespace))]));
    const keys = [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!);
    return keys.filter((key) => !known.has(key));
  });

  expect(missing).toEqual([]);
});

/** Server code reads the other namespaces by a prefix, such as `errors:` or the name of a feed rule. */
const SCREEN_NAMESPACES = namespaces.filter(
  (namespace) => !['api-docs', 'content', 'errors', 'feeds', 'mail'].includes(namespace),
);

test.each(SCREEN_NAMESPACES)('%s has no key that no screen uses', (namespace) => {
  const app = sources('app').join('\n');
  // a key such as `status.${status}` uses all keys that start with it
  const prefixes = [...app.matchAll(/\bt\(\s*`([\w.]+)\$\{/g)].map((match) => match[1]!);
  const isUsed = (key: string) => app.includes(`'${key}'`) || prefixes.some((prefix) => key.startsWith(prefix));

  expect([...baseKeys(read('en', namespace))].filter((key) => !isUsed(key))).toEqual([]);
});

/** Texts for rules of the specification whose room does not exist yet. */
const RESERVED: string[] = [];

test.each(['content', 'errors', 'mail'])('%s has no key that no code uses', (namespace) => {
  const code = ['app', 'server', 'jobs'].flatMap(sources).join('\n');
  const prefixes = [...code.matchAll(/`(?:\w+:)?([\w]+\.[\w.]*)\$\{/g)].map((match) => match[1]!);
  const inEmails = namespace === 'mail' ? accountEmailKeys() : [];
  const isUsed = (key: string) =>
    inEmails.includes(key) ||
    new RegExp(`['":\`]${key.replaceAll('.', '\\.')}['"\`]`).test(code) ||
    prefixes.some((prefix) => key.startsWith(prefix)) ||
    // a declined card has a text for each reason of the bank
    key.startsWith('payments.card_declined_');

  const unused = [...baseKeys(read('en', namespace))].filter((key) => !isUsed(key));
  expect(unused.filter((key) => !RESERVED.includes(key))).toEqual([]);
});

test.each(LANGUAGES)('%s texts use typographic apostrophes, except in sentences of the specification', (language) => {
  const found = namespaces.flatMap((namespace) =>
    Object.entries(read(language, namespace))
      .filter(([, text]) => VERBATIM.reduce((rest, sentence) => rest.replace(sentence, ''), text).includes("'"))
      .map(([key, text]) => `${namespace}.json ${key}: “${text}”`),
  );

  expect(found).toEqual([]);
});

test.each(LANGUAGES)('no %s text uses a phrase that the writing guide replaces', (language) => {
  const found = namespaces.flatMap((namespace) =>
    Object.entries(read(language, namespace)).flatMap(([key, text]) => {
      const words = VERBATIM.reduce((rest, sentence) => rest.replace(sentence, ''), text).replace(
        /\{\{[^}]*\}\}/g,
        '…',
      );
      const phrase = BANNED[language].find((pattern) => pattern.test(words));
      return phrase ? [`${namespace}.json ${key}: “${text}” matches ${phrase}`] : [];
    }),
  );

  expect(found).toEqual([]);
});

test.each(LANGUAGES)('%s texts use one word for a thing', (language) => {
  const { word, names } = REPLACED[language];
  const found = namespaces.flatMap((namespace) =>
    Object.entries(read(language, namespace))
      .filter(([, text]) => word.test(text.replace(names, '')))
      .map(([key, text]) => `${namespace}.json ${key}: “${text}”`),
  );

  expect(found).toEqual([]);
});
