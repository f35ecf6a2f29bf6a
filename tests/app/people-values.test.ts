import { expect, test } from 'vitest';
import { filledRows, peopleValues, shownRows } from '~/app/features/studio/episode/people-values';

test.each([
  ['a new episode', [], 0, 1],
  ['a person', ['Ana'], 0, 1],
  ['a person, and another requested', ['Ana'], 2, 2],
  ['two people after the second was requested', ['Ana', 'Luis'], 2, 2],
])('%s: the form shows as many rows as needed', (_, names, requested, rows) => {
  const values = peopleValues(names.map((name) => ({ name, role: 'guest', url: null })));

  expect(shownRows(filledRows(values).at(-1) ?? 0, requested)).toBe(rows);
});
