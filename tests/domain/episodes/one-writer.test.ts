import fs from 'node:fs';
import { expect, test } from 'vitest';

/** A statement on `episodes` whose new values name the status, up to the end of `.set({…})` or `.values({…})`. */
const WRITES_STATUS = /\.(?:update|insert)\(episodes\)\s*\.(?:set|values)\(\{(?:(?!\}\))[\s\S])*?\bstatus\b/;

test('only transitions.ts writes the status of an episode', () => {
  const files = fs
    .readdirSync('server', { recursive: true, encoding: 'utf8' })
    .map((file) => `server/${file}`)
    .filter((file) => file.endsWith('.ts'));

  const writers = files.filter((file) => WRITES_STATUS.test(fs.readFileSync(file, 'utf8')));

  expect(writers).toEqual(['server/domain/episodes/transitions.ts']);
});
