import { expect, test } from 'vitest';
import { code } from '../support/sources';

const EFFECT = /\buse(?:Layout|Isomorphic)?Effect\(\(\) => (?!\{|void |\(\) => )[^\n]*/g;

// React calls an effect's return value when it cleans up. `() => setValue('')` returns the setter's result.
test('an effect returns nothing, or a function that cleans up', () => {
  const found = code.flatMap(({ file, text }) => [...text.matchAll(EFFECT)].map(([call]) => `${file}: ${call}`));

  expect(found).toEqual([]);
});
