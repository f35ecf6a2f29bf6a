import { expect, test } from 'vitest';
import { wordChanges } from '~/app/features/studio/transcript/word-changes';
import type { Cue } from '~/server/transcript/model';

const cue = (text: string, startMs: number | null): Cue => ({
  ...{ startMs, endMs: startMs === null ? null : startMs + 900, speaker: null, text },
});
const passages = (cues: Cue[]) => cues.map((each, id) => ({ id, cue: each }));
const changesOf = (original: Cue[], current: Cue[]) =>
  wordChanges(original, passages(current)).map(({ passage, before, after }) => [passage.id, before, after]);
const original = [cue('we go and go and go', 0), cue('we go home', 1000), cue('we go out', 2000)];

test('the same words have no changes, also after a split', () => {
  expect(changesOf(original, original)).toEqual([]);
  expect(changesOf(original, [cue('we go and', 0), cue('go and go', 400), ...original.slice(1)])).toEqual([]);
});

test('a corrected word is found among words that a talk repeats', () => {
  const current = [original[0]!, cue('we drive home', 1000), original[2]!];

  expect(changesOf(original, current)).toEqual([[1, 'go', 'drive']]);
});

test('removed passages are shown at the one before them, and added words where they are', () => {
  expect(changesOf(original, [original[0]!, original[2]!])).toEqual([[0, 'we go home', '']]);
  expect(changesOf(original, [...original, cue('at last', 3000)])).toEqual([[3, '', 'at last']]);
});

test('texts without times are compared as a whole', () => {
  expect(changesOf([cue('one two three', null)], [cue('one 2 three', null)])).toEqual([[0, 'two', '2']]);
});
