import { expect, test } from 'vitest';
import { changesBetween, firstPart, rebase } from '~/app/features/studio/transcript/passage-changes';
import { applyChanges } from '~/server/transcript/edit-cues';
import type { Cue } from '~/server/transcript/model';

let clock = 0;
const cue = (text: string, startMs = clock++): Cue => ({ startMs, endMs: startMs + 1, speaker: null, text });
const textsOf = (cues: Cue[] | null) => cues?.map(({ text }) => text);
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => cue(text)) as [Cue, Cue, Cue, Cue];
const saved = [a, b, c, d];

test.each<[string, Cue[]]>([
  ['nothing', saved],
  ['a corrected passage', [a, cue('B'), c, d]],
  ['a split one', [a, cue('b1'), cue('b2'), c, d]],
  ['two that were joined', [cue('a b'), c, d]],
  ['removed ends', [b, c]],
  ['everything', [cue('x')]],
  ['several places', [cue('A'), b, cue('C'), cue('C2'), d, cue('e')]],
])('changes lead from the saved passages to the current ones: %s', (_, current) => {
  const changes = changesBetween(saved, current);

  expect(applyChanges(saved, changes)).toEqual(current);
  expect(changes.reduce((count, { cues }) => count + cues.length, 0)).toBe(
    current.filter((each) => !saved.includes(each)).length,
  );
});

test('a change of all passages is sent in parts, and each part leaves a transcript in order', () => {
  const many = Array.from({ length: 2500 }, () => cue('word '.repeat(20)));
  const renamed = many.map((each) => ({ ...each, speaker: 'Ana' }));
  let stored = many;
  let requests = 0;
  for (let part = firstPart(changesBetween(stored, renamed)); part.length > 0; requests++) {
    expect(JSON.stringify(part).length).toBeLessThan(200_000);
    stored = applyChanges(stored, part)!;
    part = firstPart(changesBetween(stored, renamed));
  }

  expect(stored).toEqual(renamed);
  expect(requests).toBeGreaterThan(1);
});

test('changes of different passages are put together', () => {
  const mine = changesBetween(saved, [a, cue('B'), c, d]);
  const theirs = [cue('x'), { ...a }, { ...b }, { ...c }, cue('D')];

  const { changes, lost } = rebase(mine, theirs);

  expect(textsOf(applyChanges(theirs, changes))).toEqual(['x', 'a', 'B', 'c', 'D']);
  expect(lost).toEqual([]);
});

test('a change of a passage that the other version has changed is given back', () => {
  const mine = changesBetween(saved, [a, cue('mine'), c, cue('D')]);

  const { changes, lost } = rebase(mine, [a, cue('theirs'), c, d]);

  expect(textsOf(lost)).toEqual(['mine']);
  expect(changes).toMatchObject([{ at: 3, remove: 1, cues: [{ text: 'D' }] }]);
});

test('a change that the server has already made is not made again, nor lost', () => {
  const mine = changesBetween(saved, [a, cue('B'), c, d]);
  const theirs = applyChanges(saved, mine)!.map((each) => ({ ...each }));

  expect(rebase(mine, theirs)).toEqual({ changes: [], lost: [] });
});

test('an added passage follows the one before it', () => {
  const mine = changesBetween([a, c], [a, b, c]);

  expect(rebase(mine, [cue('x'), a, c]).changes).toEqual([{ at: 2, remove: 0, cues: [b] }]);
  expect(rebase(mine, [c])).toMatchObject({ changes: [], lost: [b] });
});

test('a change that the server stored without its empty lines is known as stored', () => {
  const typed = cue('first\n\n  second ');
  const mine = changesBetween(saved, [a, typed, c, d]);

  expect(rebase(mine, [a, { ...typed, text: 'first\nsecond' }, c, d])).toEqual({ changes: [], lost: [] });
});
