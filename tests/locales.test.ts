import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Texts, translate } from '~/app/lib/i18n';
import { translator } from '~/app/lib/i18n.server';
import { LANGUAGES } from '~/locales/languages';

const root = path.resolve(import.meta.dirname, '..');
const namespaces = fs.readdirSync(path.join(root, 'locales/en')).map((file) => file.replace('.json', ''));
const read = (language: string, namespace: string): Texts =>
  JSON.parse(fs.readFileSync(path.join(root, 'locales', language, `${namespace}.json`), 'utf8'));

const FORM = /_(?:zero|one|two|few|many|other)$/;
const FORMS = { en: ['one', 'other'], es: ['one', 'many', 'other'] } as const;
const bare = (texts: Texts) => new Set(Object.keys(texts).map((key) => key.replace(FORM, '')));
const holes = (text: string) => [...new Set([...text.matchAll(/\{\{(\w+)/g)].map((match) => match[1]))].sort();

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

test.each(namespaces)('%s says the same things in both languages', (namespace) => {
  const [en, es] = [read('en', namespace), read('es', namespace)];

  expect([...bare(es)].sort()).toEqual([...bare(en)].sort());
  for (const [key, text] of Object.entries({ ...en, ...es })) expect(text, key).toMatch(/\S/);
});

test.each(namespaces)('%s fills the same holes in both languages', (namespace) => {
  const [en, es] = [read('en', namespace), read('es', namespace)];

  for (const [key, text] of Object.entries(en)) {
    if (es[key] !== undefined && !FORM.test(key)) expect(holes(es[key]), key).toEqual(holes(text));
  }
});

test.each(namespaces.flatMap((namespace) => LANGUAGES.map((language) => [language, namespace] as const)))(
  '%s/%s has every plural form its language needs, and no nesting',
  (language, namespace) => {
    const texts = read(language, namespace);

    for (const [key, text] of Object.entries(texts)) {
      expect(typeof text, key).toBe('string');
      if (!FORM.test(key)) continue;
      for (const form of FORMS[language]) expect(Object.keys(texts)).toContain(key.replace(FORM, `_${form}`));
    }
  },
);

test.each(namespaces)('the browser reads %s as i18next does on the server', (namespace) => {
  for (const language of LANGUAGES) {
    const texts = read(language, namespace);
    const onServer = translator(language, namespace);
    for (const key of bare(texts)) {
      const names = Object.keys(texts)
        .filter((name) => name.replace(FORM, '') === key)
        .flatMap((name) => holes(texts[name]!));
      for (const count of [0, 1, 2, 1234, 2_000_000]) {
        const values = {
          ...Object.fromEntries(names.map((name) => [name, 'x'])),
          ...(names.includes('count') && { count }),
        };
        expect(translate(language, texts, key, values), `${language} ${key}`).toBe(onServer(key, values));
      }
    }
  }
});

test('every error that was defined and every message of a field has its sentence', () => {
  const sentences = read('en', 'errors');
  const codes = sources('server').flatMap((text) => [
    ...[...text.matchAll(/defineError\(\s*'([^']+)'/g)].map((match) => match[1]!),
    ...[...text.matchAll(/(?:error|message): '([a-z]+\.[a-z_.]+)'/g)].map((match) => match[1]!),
    ...[...text.matchAll(/'(field\.[a-z_]+)'/g)].map((match) => match[1]!),
  ]);

  expect(codes.filter((code) => sentences[code] === undefined)).toEqual([]);
});

test('every text that a screen names is there', () => {
  const missing = sources('app').flatMap((text) => {
    const asked = /useTranslation\((?:'(\w+)')?\)|translator\([\w.]+, '(\w+)'\)/g;
    const used = [...text.matchAll(asked)].map((match) => match[1] ?? match[2] ?? 'common');
    if (used.length === 0) return [];
    const known = new Set(used.flatMap((namespace) => [...bare(read('en', namespace))]));
    const keys = [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!);
    return keys.filter((key) => !known.has(key));
  });

  expect(missing).toEqual([]);
});
