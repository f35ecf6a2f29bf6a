import { expect, test } from 'vitest';
import { editableText, withEditedText } from '~/server/transcript/edited-text';
import type { Cue } from '~/server/transcript/model';

const cue = (second: number, text: string, speaker: string | null = null): Cue => ({
  startMs: second * 1000,
  endMs: (second + 10) * 1000,
  speaker,
  text,
});
const TALK = [cue(0, 'Hello.', 'Ana'), cue(10, 'Yes.'), cue(20, 'The sea\nis wide.'), cue(30, 'Yes.'), cue(40, 'Bye.')];
const timesOf = (cues: Cue[]) => cues.map(({ startMs, endMs, text }) => [startMs! / 1000, endMs! / 1000, text]);

test('the text of a transcript gives the same passages again', () => {
  expect(editableText(TALK)).toBe('Ana: Hello.\n\nYes.\n\nThe sea\nis wide.\n\nYes.\n\nBye.');
  expect(withEditedText(TALK, editableText(TALK))).toEqual(TALK);
});

test.each([
  ['changed words', 'The sea\nis wide.', 'The sea\nis wild.', [20, 30, 'The sea\nis wild.'], 5],
  ['a named speaker', 'Bye.', 'Ana: Bye.', [40, 50, 'Bye.'], 5],
  ['a removed passage', '\n\nThe sea\nis wide.', '', [30, 40, 'Yes.'], 4],
])('%s leave the times of all others', (_, from, to, shown, count) => {
  const cues = withEditedText(TALK, editableText(TALK).replace(from, to));

  expect(cues).toHaveLength(count);
  expect(timesOf(cues)).toContainEqual(shown);
  const others = TALK.filter(({ text }) => !from.includes(text));
  expect(cues).toEqual(expect.arrayContaining(others));
});

test('added and divided passages share the time of the one beside them, by their length', () => {
  const added = withEditedText(TALK, editableText(TALK).replace('Bye.', 'Bye.\n\nGone'));
  const first = withEditedText(TALK, `Well..\n\n${editableText(TALK)}`);
  const divided = withEditedText(TALK, editableText(TALK).replace('The sea\nis wide.', 'Thesea\n\nIs wide'));

  expect(timesOf(added).slice(4)).toEqual([
    [40, 45, 'Bye.'],
    [45, 50, 'Gone'],
  ]);
  expect(timesOf(first).slice(0, 3)).toEqual([
    [0, 5, 'Well..'],
    [5, 10, 'Hello.'],
    [10, 20, 'Yes.'],
  ]);
  expect(first[1]!.speaker).toBe('Ana');
  expect(
    timesOf(divided)
      .slice(2, 5)
      .map(([start, end]) => [Math.round(Number(start)), Math.round(Number(end))]),
  ).toEqual([
    [20, 25],
    [25, 30],
    [30, 40],
  ]);
});

test('joined passages have the time of all of them, and a new text that of the whole', () => {
  const joined = withEditedText(TALK, editableText(TALK).replace('is wide.\n\nYes.', 'is wide. Yes.'));

  expect(timesOf(joined)).toContainEqual([20, 40, 'The sea\nis wide. Yes.']);
  expect(timesOf(withEditedText(TALK, 'All new.'))).toEqual([[0, 50, 'All new.']]);
});

test('a transcript without times stays without', () => {
  const plain = TALK.map((one) => ({ ...one, startMs: null, endMs: null }));

  expect(withEditedText(plain, 'A\n\nB').map(({ startMs, text }) => [startMs, text])).toEqual([
    [null, 'A'],
    [null, 'B'],
  ]);
});

test('passages that become unique one after the other are not read again for each of them', () => {
  // without a limit, this takes half a minute
  const words = (between: string) =>
    Array.from({ length: 16_000 }, (_, i) => [between, `b${i % 2 ? (i - 1) / 2 : i / 2 + 1}`]).flat();
  const former = words('x').map((text, i) => ({ speaker: null, text, startMs: i * 10, endMs: i * 10 + 10 }));

  const edited = withEditedText(former, words('y').join('\n\n'));

  expect(edited).toHaveLength(former.length);
  expect(edited.filter(({ text }) => text === 'y')).toHaveLength(16_000);
});
