import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';
import { REPLACED } from '../banned-phrases';

const library = await openContent({ folders: [OWN_CONTENT], log: createLog('silent') }).library();

/** `npm run build` makes the same check. */
test('our texts have both languages, and their links, pictures and front matter are right', () => {
  expect(library.problems).toEqual([]);
  expect(library.entries.length).toBeGreaterThan(0);
});

/** What readers see of the front matter. */
const shownIn = ({ title, description, lead, next }: Record<string, unknown>) =>
  [title, description, lead, (next as { text?: string } | undefined)?.text].filter((each) => typeof each === 'string');

test.each(LANGUAGES)('our texts use one word for a thing (%s)', (language) => {
  const { word, names } = REPLACED[language];
  const texts = library.entries.filter((entry) => entry.language === language);
  const found = texts.flatMap(({ collection, id, data, html, text }) => {
    const alts = [...html.matchAll(/ alt="([^"]*)"/g)].map(([, alt]) => alt);
    const words = [...shownIn(data), text, ...alts].join('\n').replace(names, '');
    return word.test(words)
      ? [`${collection}/${id}: …${words.slice(Math.max(0, words.search(word) - 40)).slice(0, 80)}…`]
      : [];
  });

  expect(found).toEqual([]);
});
