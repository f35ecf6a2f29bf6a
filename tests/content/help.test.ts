import fs from 'node:fs';
import { expect, test } from 'vitest';
import { HELP_SCREENS } from '~/app/lib/help-screens';
import { LANGUAGES } from '~/locales/languages';
import { entriesOf } from '~/server/content/library';
import { HELP_AUDIENCES } from '~/server/limits/content';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';
import { moduleAt } from '../support/routed-pages';

const library = await openContent({ folders: [OWN_CONTENT], log: createLog('silent') }).library();
const articles = LANGUAGES.flatMap((language) => entriesOf(library, 'help', language));
const named = articles.map((article) => ({ ...article, name: `${article.language}/${article.id}` }));
const IF_IT_FAILS = { en: 'If it doesn’t work', es: 'Si no funciona' };

/** Every text of the interface in a language. */
function textsIn(language: string): Set<string> {
  const folder = `locales/${language}`;
  const files = fs.readdirSync(folder).map((file) => JSON.parse(fs.readFileSync(`${folder}/${file}`, 'utf8')));
  return new Set(files.flatMap((texts) => Object.values<string>(texts)));
}
const texts = Object.fromEntries(LANGUAGES.map((language) => [language, textsIn(language)]));
const found = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => value!);

test('both languages have at least thirty articles, for all kinds of readers', () => {
  const count = (language: string, audience: string) =>
    articles.filter((article) => article.language === language && article.data.audience === audience).length;

  for (const language of LANGUAGES) {
    const [creators, listeners, operators] = HELP_AUDIENCES.map((audience) => count(language, audience));
    expect([creators! >= 16, listeners! >= 8, operators! >= 6]).toEqual([true, true, true]);
  }
});

test.each(named)('$name names buttons and pages as the interface does', ({ html, language }) => {
  const names = found(html, /<strong>(.*?)<\/strong>/g);

  expect(names.filter((name) => !texts[language]!.has(name))).toEqual([]);
});

test.each(named)('$name has three to eight steps, and says what to do if they fail', ({ html, headings, language }) => {
  const steps = found(html, /<ol>(.*?)<\/ol>/gs).map((list) => list.split('<li>').length - 1);

  expect(steps).toHaveLength(1);
  expect(steps[0]! >= 3 && steps[0]! <= 8).toBe(true);
  expect(headings.map(({ text }) => text)).toEqual([IF_IT_FAILS[language]]);
});

test.each(LANGUAGES)('articles link to pages that exist, in their language: %s', (language) => {
  const links = new Set(entriesOf(library, 'help', language).flatMap(({ html }) => found(html, /href="(\/[^"#]*)/g)));

  expect(links.size).toBeGreaterThan(0);
  expect([...links].filter((link) => !link.startsWith(`/${language}/`))).toEqual([]);
  // the documentation of the API is no page of the app, and the texts' own check knows its guides
  const pages = [...links].filter((link) => !link.startsWith(`/${language}/developers`));
  expect(pages.filter((link) => moduleAt(link) === 'not-found')).toEqual([]);
});

test('every article leads to the page of its task or to a related task', () => {
  const without = articles.filter(({ html }) => !html.includes('href="/'));

  expect(without).toEqual([]);
});

test('translations are for the same readers, in the same order', () => {
  const facts = (language: 'en' | 'es') =>
    entriesOf(library, 'help', language)
      .map(({ id, data }) => `${id} ${data.audience} ${data.order}`)
      .sort();

  expect(facts('es')).toEqual(facts('en'));
});

test('every screen with a link to help names an article of both languages', () => {
  const ids = Object.fromEntries(LANGUAGES.map((of) => [of, entriesOf(library, 'help', of).map(({ id }) => id)]));
  const missing = Object.values(HELP_SCREENS).filter((id) => LANGUAGES.some((of) => !ids[of]!.includes(id)));

  expect(missing).toEqual([]);
});

test('at least fifteen screens lead to help, and each name of a screen is used', () => {
  const files = fs
    .readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => fs.readFileSync(`app/${name}`, 'utf8'));
  const used = new Set(files.flatMap((source) => found(source, /(?:help|screen)="(\w+)"/g)));
  const screens = Object.keys(HELP_SCREENS);

  expect(screens.filter((screen) => !used.has(screen))).toEqual([]);
  expect(screens.length).toBeGreaterThanOrEqual(15);
});
