import { expect, test } from 'vitest';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';

/** `npm run build` makes the same check. */
test('our texts have both languages, and their links, pictures and front matter are right', async () => {
  const library = await openContent({ folders: [OWN_CONTENT], log: createLog('silent') }).library();

  expect(library.problems).toEqual([]);
  expect(library.entries.length).toBeGreaterThan(0);
});
