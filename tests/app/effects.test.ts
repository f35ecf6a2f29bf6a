import { expect, test } from 'vitest';
import { code } from '../support/sources';

const EFFECT = /\buse(?:Layout|Isomorphic)?Effect\(\(\) => (?!\{|void |\(\) => )[^\n]*/g;

// React calls what an effect returns when it cleans up. `() => setValue('')` returns whatever the setter returns.
test('an effect returns nothing, or a function that cleans up', () => {
  const found = code.flatMap(({ file, text }) => [...text.matchAll(EFFECT)].map(([call]) => `${file}: ${call}`));

  expect(found).toEqual([]);
});
