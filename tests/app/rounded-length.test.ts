import { expect, test } from 'vitest';
import { roundedLength } from '~/app/features/site/public/rounded-length';

test.each([
  [0, 'seconds', 1],
  [4, 'seconds', 4],
  [59.4, 'seconds', 59],
  [59.6, 'minutes', 1],
  [89, 'minutes', 1],
  [90, 'minutes', 2],
  [3700, 'minutes', 62],
] as const)('%s seconds are shown in %s: %s', (seconds, unit, count) => {
  expect(roundedLength(seconds)).toEqual({ unit, count });
});
